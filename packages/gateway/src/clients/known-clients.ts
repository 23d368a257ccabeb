import { claudeCode } from './known/claude-code.ts'
import { claudeDesktop } from './known/claude-desktop.ts'
import { cline } from './known/cline.ts'
import { codex } from './known/codex.ts'
import { continueDev } from './known/continue.ts'
import { cursor } from './known/cursor.ts'
import { geminiCli } from './known/gemini-cli.ts'
import { goose } from './known/goose.ts'
import { jetbrains } from './known/jetbrains.ts'
import { kiro } from './known/kiro.ts'
import { lmStudio } from './known/lm-studio.ts'
import { opencode } from './known/opencode.ts'
import { rooCode } from './known/roo-code.ts'
import { vscode } from './known/vscode.ts'
import { windsurf } from './known/windsurf.ts'
import { zed } from './known/zed.ts'
import type { KnownClient } from './known-client.ts'

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  windsurf,
  codex,
  geminiCli,
  zed,
  opencode,
  lmStudio,
  cline,
  rooCode,
  continueDev,
  goose,
  kiro,
  jetbrains,
]
