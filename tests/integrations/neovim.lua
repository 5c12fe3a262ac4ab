-- Opens the documents of a project in Neovim, and writes what the language server answers.
local request = vim.fn.json_decode(vim.fn.readfile(vim.env.REQUEST))
local patience = 180000 -- milliseconds
local answers = {}

local client = vim.lsp.start_client({
  name = "spacy-gladis",
  cmd = request.command,
  root_dir = request.folder,
  root_uri = vim.uri_from_fname(request.folder),
})

local function ask(method, params)
  local results, problem = vim.lsp.buf_request_sync(0, method, params, patience)
  assert(not problem, problem)
  return results[client].result
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
end

local function find(words)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. words) > 0, words .. " is not in " .. vim.fn.bufname())
end

local function act(words, title)
  find(words)
  local params = vim.lsp.util.make_range_params(0, "utf-16")
  params.context = { diagnostics = {} }
  for _, action in ipairs(ask("textDocument/codeAction", params) or {}) do
    if action.title == title then
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
      return lines()
    end
  end
end

local function visit()
  for _, name in ipairs(request.names) do
    local answer = {}
    vim.cmd("edit " .. vim.fn.fnameescape(request.folder .. "/" .. name))
    vim.lsp.buf_attach_client(0, client)
    answer.attached = vim.wait(patience, function()
      return #vim.diagnostic.get(0) > 0
    end, 50)
    answer.findings = {}
    for _, finding in ipairs(vim.diagnostic.get(0)) do
      local text = vim.api.nvim_buf_get_text(
        0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {})
      table.insert(answer.findings, { finding.code, table.concat(text, "\n") })
    end
    find("MRI")
    local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"))
    answer.hover = hover and hover.contents.value
    local document = { textDocument = vim.lsp.util.make_text_document_params() }
    answer.symbols = vim.tbl_map(function(symbol)
      return symbol.name
    end, ask("textDocument/documentSymbol", document))
    answer.short = act("World Health Organization voted", "Use the short form: WHO")
    answer.expanded = act("QBR", "Define at first use: quarterly business review (QBR)")
    answer.refreshed = vim.wait(patience, function()
      return #vim.diagnostic.get(0) == 0
    end, 50)
    vim.api.nvim_buf_set_text(0, 0, 0, 0, 0, { "WHO", "" })
    vim.fn.cursor(1, 4)
    local place = vim.lsp.util.make_position_params(0, "utf-16")
    place.position = { line = 0, character = 3 }
    answer.completions = vim.tbl_map(function(item)
      return item.label
    end, ask("textDocument/completion", place))
    vim.cmd("silent undo")
    answers[name] = answer
  end
end

local is_done, problem = xpcall(visit, debug.traceback)
if not is_done then -- otherwise Neovim would wait for a key
  io.stderr:write(problem .. "\n")
  vim.cmd("cquit")
end
vim.lsp.stop_client(client)
answers.stopped = vim.wait(patience, function()
  return vim.lsp.client_is_stopped(client)
end, 50)
vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.ANSWERS)
vim.cmd("qall!")
