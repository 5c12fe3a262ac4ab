"""The page for everybody: any width, dark mode, keyboard, screen readers; in a real browser."""

import pytest

api = pytest.importorskip("playwright.sync_api")

PATIENCE = 60_000  # milliseconds, for a busy machine
pytestmark = pytest.mark.slow  # the browser starts
TEXT = "Convolutional neural networks (CNNs) learn. The AI for potassium, says XYZ." * 3
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
CONTRAST = 4.5
"""WCAG 2.2, level AA, for text."""

LOW_CONTRAST = """(least) => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([red, green, blue]) => [[red, 0.2126], [green, 0.7152], [blue, 0.0722]]
    .map(([one, share]) => [one / 255, share])
    .map(([one, share]) => share * (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one) => sum + one);
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = channels(getComputedStyle(one).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };
  const said = [...document.body.querySelectorAll("*")].filter((one) => one.offsetParent
    && !one.closest(".hidden")
    && [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  return said.map((one) => {
    const [dark, bright] = [light(channels(getComputedStyle(one).color)), light(ground(one))]
      .sort((a, b) => a - b);
    return [one.textContent.trim().slice(0, 40), (bright + 0.05) / (dark + 0.05)];
  }).filter(([, ratio]) => ratio < least);
}"""

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def find(page, text=TEXT):
    page.fill("#input", text)
    page.click("#find")
    page.wait_for_selector("#output .mention")
    page.click(".mention >> nth=1")
    page.wait_for_selector(".ranked li >> nth=2")


@pytest.mark.parametrize("path", ["", "docs"])
@pytest.mark.parametrize("window", [{}, PHONE, {"viewport": {"width": 320, "height": 600}}])
def test_nothing_is_cut_off_at_any_width(visit, path, window):
    page = visit(path, **window)
    if not path:
        find(page)
    assert page.evaluate(OVERFLOW) <= 0


def test_the_panel_is_beside_the_text_or_beneath_it(visit):
    for window, is_beside in (({}, True), (PHONE, False)):
        page = visit(**window)
        find(page)
        sheet, panel = (
            page.locator(selector).bounding_box() for selector in (".sheet", "#candidates")
        )
        assert (panel["x"] >= sheet["x"] + sheet["width"]) == is_beside
        assert (panel["y"] >= sheet["y"] + sheet["height"]) != is_beside


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(visit, scheme):
    page = visit("", color_scheme=scheme, reduced_motion="reduce")
    find(page)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (int(ground[4:].split(",")[0]) < 128) == (scheme == "dark")
    assert page.evaluate(LOW_CONTRAST, CONTRAST) == []


def test_all_of_it_works_by_keyboard(visit):
    page = visit()
    page.keyboard.type("the AI of XYZ")  # the text has the focus from the beginning
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".mention")
    assert page.evaluate("document.activeElement.id") == "edit"
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"  # the focus can be seen
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer .long")
    assert page.inner_text("#answer .soft") == "AI"
    page.focus("text=Accept")
    page.keyboard.press("Enter")
    page.wait_for_selector("#own li")
    api.expect(page.locator(".mention[aria-pressed=true]")).to_be_focused(timeout=PATIENCE)


def test_screen_readers_are_told_what_is_what(visit):
    page = visit()
    api.expect(page.get_by_role("textbox", name="Text")).to_be_focused()
    find(page)
    for role, name in (
        ("heading", "Acronyms in context"),
        ("heading", "Your dictionary"),
        ("region", "Text"),
        ("region", "Candidates"),
        ("slider", "unknown below"),
        ("status", ""),
        ("textbox", "Acronym"),
        ("textbox", "Long form"),
        ("textbox", "Another meaning"),
        ("button", "Mark AI as not an acronym"),
        ("button", "Edit the text"),
    ):
        assert page.get_by_role(role, name=name).count() >= 1, (role, name)
    defined = page.get_by_role("button", name="CNNs: Convolutional neural networks, defined in")
    assert defined.count() == 3
    unknown = page.get_by_role("button", name="XYZ: unknown", exact=True).first
    assert unknown.get_attribute("aria-pressed") == "false"
    assert page.locator("#answer[aria-live=polite]").count() == 1
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, textarea, meter")].filter((one) =>
            one.offsetParent && !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
            .map((one) => one.outerHTML)"""
    )
    assert nameless == []
