import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageCode, type Parallel } from './read-parallel.ts'

/** A message by its path of keys. */
type Messages = ReadonlyMap<string, string>

const LANGUAGE = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/
/** `locales/de/x.json`, `i18n/de.json`, `languages/de.js` or `dist/de-DE.mjs`. */
const MESSAGE_FILE =
  /(?:^|\/)(?:locales|i18n|languages|dist|main|annotations)\/([a-z]{2}(?:[-_][A-Za-z]{2,4})?)(?:\/|\.js$|\.mjs$|\.json$)/

/** Pairs the messages of a package in all its languages with the English ones. */
export function readMessages(folder: string): Parallel[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const pairs: Parallel[] = []
  /** By the path with the language left out. */
  const groups = new Map<string, Map<string, string>>()
  for (const path of paths) {
    if (path === 'io-package.json') pairs.push(...readTranslatedValues(join(folder, path)))
    const found = MESSAGE_FILE.exec(path)
    if (found === null || !isMessageFile(path)) continue
    const [place, language] = found as unknown as [string, string]
    const group = path.replace(place, place.replace(`/${language}`, '/*'))
    if (!groups.has(group)) groups.set(group, new Map())
    groups.get(group)!.set(language, path)
  }
  for (const files of groups.values()) {
    const source = files.get('en') ?? files.get('en-US')
    if (source === undefined) continue
    const english = readFile(join(folder, source))
    for (const [language, path] of files) {
      if (path === source || languageCode(language) === 'en') continue
      for (const [key, text] of readFile(join(folder, path))) {
        const translated = english.get(key)
        if (translated) pairs.push({ language: languageCode(language), text, english: translated })
      }
    }
  }
  return pairs.filter(({ text, english }) => text !== english)
}

function isMessageFile(path: string): boolean {
  if (path.includes('cldr') || /\/(ca-|timeZone)/.test(path)) return false
  return /\.(json|m?js)$/.test(path) && !/node_modules|\.d\.|\.map$/.test(path)
}

function readFile(file: string): Messages {
  const text = readFileSync(file, 'utf8')
  const messages = new Map<string, string>()
  if (!file.endsWith('.json')) return readObjectLiteral(text)
  const emoji = /annotations\.json$/.test(file)
  visit(
    withoutRoot(JSON.parse(text.replace(/^\ufeff/, ''))),
    '',
    (key, value) => {
      messages.set(key, value)
    },
    emoji,
  )
  return messages
}

/** CLDR files begin with the locale: `main.de.dates`. */
function withoutRoot(json: Record<string, unknown>): unknown {
  const main = json.main as Record<string, unknown> | undefined
  if (main && Object.keys(main).length === 1) return Object.values(main)[0]
  return (json.annotations as { annotations?: unknown } | undefined)?.annotations ?? json
}

function visit(
  node: unknown,
  path: string,
  add: (key: string, value: string) => void,
  joinLists: boolean,
): void {
  if (typeof node === 'string') add(path, node)
  else if (Array.isArray(node) && joinLists) add(path, node.join(', '))
  else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`, add, joinLists)
  }
}

/** Reads strings from the source of an object literal, instead of running downloaded code. */
function readObjectLiteral(source: string): Messages {
  const messages = new Map<string, string>()
  const path: string[] = []
  for (const line of source.split('\n')) {
    const [, key, value] = /^\s*['"]?([\w$:-]+)['"]?: (.*)$/.exec(line) ?? []
    if (/^\s*}/.test(line)) path.pop()
    if (line.endsWith('{')) path.push(key ?? '')
    const text = /^(['"`])(.*)\1,?$/.exec(value ?? '')?.[2]
    if (text !== undefined)
      messages.set([...path.slice(1), key].join('/'), text.replace(/\\(.)/g, '$1'))
  }
  return messages
}

/** Objects with one text per language, such as `{ "en": "Weather", "de": "Wetter" }`. */
function readTranslatedValues(file: string): Parallel[] {
  const pairs: Parallel[] = []
  const search = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { en, ...others } = node as Record<string, unknown>
    for (const [language, text] of Object.entries(others)) {
      if (typeof en === 'string' && typeof text === 'string' && LANGUAGE.test(language)) {
        const lines = [text.split('\n'), en.split('\n')] as const
        if (lines[0].length !== lines[1].length) continue
        lines[0].forEach((line, at) => {
          pairs.push({ language: languageCode(language), text: line, english: lines[1][at]! })
        })
      }
    }
    for (const value of Object.values(node)) search(value)
  }
  search(JSON.parse(readFileSync(file, 'utf8')))
  return pairs
}
