"""The picture of the service's page in the documentation, taken of the page as it is.

    python benchmarks/screenshot.py

Starts `spacy-gladis serve`, opens its page in Chromium, tries the example, chooses one of its
acronyms and writes `docs/img/page.png`.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
WINDOW = {"width": 1240, "height": 900}


def picture(page: Page, address: str, acronym: str) -> bytes:
    """The page with its example annotated and an acronym chosen, as PNG."""
    page.goto(address)
    page.click("#example")
    page.click(f".mention:has(.word:text-is('{acronym}'))")
    page.wait_for_selector(".ranked .bar .soft:not(:empty)")
    page.wait_for_load_state("networkidle")
    return page.screenshot(full_page=True, animations="disabled")


def main() -> None:
    """Take the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--acronym", default="CT", help="The one whose candidates are shown.")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/img/page.png")
    arguments = parser.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    serve = [sys.executable, "-m", "spacy_gladis", "serve", "--port", "0", "--timeout", "300"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as service:
        try:
            address = service.stdout.readline().split()[0]
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(
                    executable_path=browser, args=["--no-sandbox"]
                )
                page = chromium.new_page(viewport=WINDOW, color_scheme="light")
                page.set_default_timeout(300_000)
                arguments.output.write_bytes(picture(page, address, arguments.acronym))
                chromium.close()
        finally:
            service.terminate()


if __name__ == "__main__":
    main()
