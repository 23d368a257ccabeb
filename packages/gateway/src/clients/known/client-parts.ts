import { join } from 'node:path'
import { isObject } from '../../protocol/json-object.ts'
import type { Entry, GatewayTarget, KnownClient, Machine } from '../known-client.ts'

/** The client replaces no variables. */
export const NO_VARIABLES: RegExp = /(?!)/
/** The environment variables of VS Code and editors based on it, and what they ask for. */
export const EDITOR_VARIABLES: RegExp = /^(env|input):/
/** The other variables of editors based on VS Code. */
export const EDITOR_OWN_VARIABLES: RegExp =
  /^(userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|\/)$/

/** Where programs store settings on this platform. */
export function settingsFolder({ home, platform, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

/** The user folders of VS Code and editors based on it, where their extensions store files. */
export function editorFolders(machine: Machine): string[] {
  const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']
  return editors.map((editor) => join(settingsFolder(machine), editor, 'User'))
}

/** The servers are under this key at the top of the file. */
export function under(...path: string[]): KnownClient['groups'] {
  return () => [{ path }]
}

/** The most common format: `command` and `args`, or `url`. */
export function plainEntry(gateway: GatewayTarget): Entry {
  return { ...gateway }
}

/** The same, with the transport in `type`. */
export function typedEntry(httpType: string): KnownClient['entry'] {
  return (gateway) =>
    'url' in gateway ? { type: httpType, ...gateway } : { type: 'stdio', ...gateway }
}

/** The entry without keys that are undefined. */
export function defined(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
}

/** `disabled: true`, or nothing. */
export function disabledIf(isDisabled: boolean): Entry {
  return isDisabled ? { disabled: true } : {}
}

/** Seconds as milliseconds, within the limits of our file. */
export function milliseconds(seconds: unknown): number | undefined {
  const isNumber = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
  return isNumber
    ? Math.min(2_147_483_647, Math.max(1_000, Math.round(seconds * 1_000)))
    : undefined
}

/** Which tools of a server the client uses, as settings of our file. */
export function toolRules(allow: unknown, deny: unknown): Entry {
  const lists = Object.entries({ allow, deny }).filter(
    ([, list]) => Array.isArray(list) && list.length > 0,
  )
  return lists.length === 0 ? {} : { toolsearch: Object.fromEntries(lists) }
}

/** The object at a key, or an empty one. */
export function objectAt(value: unknown, key: string): Entry {
  const found = isObject(value) ? value[key] : undefined
  return isObject(found) ? found : {}
}

/** Replaces every text in a value. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)]),
  )
}
