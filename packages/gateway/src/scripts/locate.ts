import type { ScriptsConfig } from '../config/gateway-config.ts'
import { outOfMemory } from './script-limits.ts'
import type { ScriptProblem } from './script-messages.ts'
import { COLUMNS_BEFORE, NO_IMPORTS, SCRIPT_FILE } from './strip-types.ts'

/** An error as QuickJS describes it. */
export interface ThrownError {
  readonly name?: string | undefined
  readonly message?: string | undefined
  readonly stack?: string | undefined
}

const FRAME = new RegExp(`${SCRIPT_FILE.replace('.', '\\.')}:(\\d+):(\\d+)`)
const UNDEFINED = /^'?(\w+)'? is not defined$/
const MAX_CHARS = 4_000

/** What models look for in a script, and do not find. */
const MISSING: Readonly<Record<string, string>> = {
  ...because('Scripts have no network. Use tools for that.', [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
  ]),
  ...because('Scripts run in an isolated JavaScript engine, not in Node. Use tools for that.', [
    'require',
    'module',
    'exports',
    'process',
    'fs',
    'Deno',
    'Bun',
  ]),
  ...because('Scripts have no clock and no timers. Use tools for that.', [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'performance',
  ]),
  ...because('Scripts have no randomness. Use tools for that.', ['crypto']),
  ...because('Scripts have what is part of JavaScript itself, but no APIs of browsers or Node.', [
    ...['Buffer', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'btoa', 'atob'],
    ...['structuredClone', 'Intl', 'AbortController', 'Blob', 'window', 'document'],
  ]),
}

function because(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]))
}

/** Where an error is in the script, as the model wrote it. */
export function locate(
  { name, message, stack }: ThrownError,
  bounds: ScriptsConfig,
): ScriptProblem {
  const frame = FRAME.exec(stack ?? '')
  const line = Number(frame?.[1])
  const column = Number(frame?.[2]) - (line === 1 ? COLUMNS_BEFORE : 0)
  const text = explain(nameOf(name), message ?? '', bounds).toWellFormed()
  return {
    message: text.slice(0, MAX_CHARS),
    ...(frame && { line, column: Math.max(1, column) }),
  }
}

/** Scripts can set the name of an error to any text. */
function nameOf(name = ''): string {
  return name === '' || /^[\w$.]{1,100}$/.test(name) ? name : 'Error'
}

function explain(name: string, message: string, bounds: ScriptsConfig): string {
  if (name === 'InternalError' && message === 'out of memory') {
    return outOfMemory(bounds)
  }
  if (name === 'ReferenceError' && message.startsWith('could not load module')) {
    return `${name}: ${NO_IMPORTS}`
  }
  const hint = MISSING[UNDEFINED.exec(message)?.[1] ?? '']
  const text = name === '' ? message : `${name}: ${message}`
  return hint === undefined ? text : `${text}. ${hint}`
}
