import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request and the description of what it asks for. */
export interface Pair {
  readonly request: string
  readonly description: string
}

/** The training texts of one source. */
export interface Source {
  readonly name: string
  readonly texts: readonly string[]
  readonly pairs: readonly Pair[]
  /** Complete sentences in everyday language. */
  readonly sentences?: readonly string[]
}

/** The fields of an OpenAPI operation that this reads. */
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name?: string }[]
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])
const OPEN_LICENCE =
  /apache|\bmit\b|bsd|isc|cc0|public domain|unlicense|creative commons attribution|creativecommons.org\/licenses\/by\//i
const CLOSED_LICENCE = /noncommercial|sharealike|noderiv|by-(nc|sa|nd)|-sa\b|agpl|\bgpl/i
// These files state no licence, but their owners publish them under MIT or Apache-2.0.
const OPEN_OWNERS = /^(azure\.com|microsoft\.com|stripe\.com|kubernetes\.io)/
const MOST_PER_API = 700

/** Operations of the APIs.guru directory whose descriptions have an open licence. */
export function readOpenApi(folder: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
    const api = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const licence = `${api.info?.license?.name ?? ''} ${api.info?.license?.url ?? ''}`
    const stated = OPEN_LICENCE.test(licence) && !CLOSED_LICENCE.test(licence)
    if (!stated && !(licence.trim() === '' && OPEN_OWNERS.test(file))) continue
    texts.add(firstSentences(api.info?.description ?? ''))
    const operations = Object.values<Record<string, Operation>>(api.paths ?? {}).flatMap((path) =>
      Object.entries(path)
        .filter(([method]) => METHODS.has(method))
        .map(([, operation]) => operation),
    )
    for (const operation of thin(operations, MOST_PER_API)) {
      const name = nameWords(operation.operationId ?? '')
      const summary = firstSentences(operation.summary ?? '')
      const description = firstSentences(operation.description ?? '')
      const parameters = (operation.parameters ?? []).map((one) => one.name).filter(isText)
      for (const one of parameters.length > 0 ? [summary, description] : [description])
        texts.add(one)
      if (summary === '' && description === '') texts.add(name)
      const best = description || summary
      if (name.split(' ').length > 1 && differs(name, best))
        pairs.push({ request: name, description: best })
      if (summary && description && differs(summary, description)) {
        pairs.push({ request: summary, description: `${name} ${description}` })
      }
    }
  }
  return { name: 'openapi', texts: [...texts].filter(isText), pairs }
}

/** Fig's descriptions of commands, subcommands and options of command-line programs. */
export function readFig(folder: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.js')).sort()) {
    const source = readFileSync(join(folder, file), 'utf8')
    // Parsed as text instead of run: names and descriptions are next to each other in the built files.
    for (const [, name, description] of source.matchAll(FIG_ENTRY)) {
      const said = firstSentences(withoutEscapes(description!))
      if (!isText(said)) continue
      texts.add(said)
      const words = nameWords(name!)
      if (words.length > 2) pairs.push({ request: words, description: said })
    }
  }
  return { name: 'fig', texts: thin([...texts], 30_000), pairs: thin(pairs, 40_000) }
}

const FIG_ENTRY =
  /name:(?:\[)?"([\w@:./-]{2,40})"[^{}]{0,60}?,description:"((?:[^"\\]|\\.){8,300})"/g

/** Glosses, examples and synonyms from WordNet. */
export function readWordNet(folder: string): Source {
  const texts: string[] = []
  const pairs: Pair[] = []
  const sentences: string[] = []
  for (const part of ['verb', 'noun', 'adj', 'adv']) {
    const lines = readFileSync(join(folder, `data.${part}`), 'utf8').split('\n')
    for (const line of lines) {
      const [data, gloss = ''] = line.split(' | ')
      if (line.startsWith('  ') || gloss === '') continue
      const fields = data!.split(' ')
      const count = Number.parseInt(fields[3]!, 16)
      const words = Array.from({ length: count }, (_, i) => lemma(fields[4 + 2 * i]!))
      // Names of people, places and species teach little about tools.
      if (words.some((word) => /\p{Lu}/u.test(word))) continue
      const meaning = gloss.split('; "')[0]!.trim()
      const examples = [...gloss.matchAll(/"([^"]{8,})"/g)].map(([, example]) => example!)
      texts.push(`${words.slice(0, 3).join(', ')}: ${meaning}`, ...words, ...examples)
      sentences.push(...examples)
      for (const word of words) pairs.push({ request: word, description: meaning })
      for (const example of examples) pairs.push({ request: example, description: meaning })
      for (let i = 1; i < words.length; i++) {
        pairs.push({ request: words[i]!, description: words[0]! })
      }
    }
  }
  return { name: 'wordnet', texts: [...new Set(texts)], pairs, sentences }
}

/** The one-line description of each Debian package, from the `Packages` index. */
export function readDebian(index: string): Source {
  const texts = new Set<string>()
  const pairs: Pair[] = []
  for (const entry of index.split('\n\n')) {
    const name = /^Package: (.+)$/m.exec(entry)?.[1] ?? ''
    const description = /^Description: (.+)$/m.exec(entry)?.[1] ?? ''
    // The many packages of one library repeat the same text.
    if (
      /-(dev|doc|dbg|data|common|prof|perl|locale.*|l10n.*)$|^(lib|python3-|ruby-|golang-|node-|r-|fonts-|rust-)/.test(
        name,
      )
    )
      continue
    if (/transitional|dummy|metapackage/.test(description)) continue
    texts.add(description)
    if (/^[a-z]{4,}(-[a-z]+)*$/.test(name)) pairs.push({ request: nameWords(name), description })
  }
  return { name: 'debian', texts: [...texts].filter(isText), pairs: [] }
}

/** Every n-th item, at most `most` in all, so that one large source does not dominate. */
export function thin<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!)
}

/** The words of an operation's name, in lower case. */
function nameWords(name: string): string {
  return (name.match(/\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [])
    .join(' ')
    .toLowerCase()
}

/** The first one or two sentences as plain text, the usual length of a tool description. */
function firstSentences(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\S+/g, ' ')
    .replace(/[`*#_|~]+/g, ' ')
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const cut = plain.slice(0, 220)
  const end = /^.{40,}?[.!?](?= [\p{Lu}])/u.exec(cut)?.[0] ?? cut
  return end.length < 20 ? cut : end
}

function differs(request: string, description: string): boolean {
  const words = new Set(description.toLowerCase().match(/\p{L}+/gu))
  const said = request.toLowerCase().match(/\p{L}+/gu) ?? []
  return said.length > 0 && words.size > 2 && said.join(' ') !== [...words].join(' ')
}

function isText(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 4 &&
    /[a-z]{3}/i.test(text) &&
    !/[^\p{ASCII}‘’“”–—…]/u.test(text)
  )
}

function lemma(word: string): string {
  return word.replace(/\(\w+\)$/, '').replaceAll('_', ' ')
}

function withoutEscapes(text: string): string {
  return text.replace(/\\u\{?([0-9a-fA-F]{4})\}?/g, ' ').replace(/\\(.)/g, '$1')
}
