import { createTextFinder, type TextFinder } from '../system/text-finder.ts'
import { REDACTED } from './redact.ts'

/** Replaces known secrets in texts that are shown, logged or sent on. */
export interface SecretMask {
  /** Adds a secret that became known later, such as an access token. */
  add(secret: string): void
  text(text: string): string
  /** Masks every string in a JSON value. Same reference if it contains no secret. */
  json<T>(value: T): T
}

/** Masking even shorter secrets would make messages unreadable. */
const SHORTEST = 4
/** Shorter secrets are masked only where they are a word of their own. */
const SHORT = 8
/** Lines of a multi-line secret, such as a private key, are masked one by one from this length on. */
const SHORTEST_LINE = 16
/** So much of a secret is looked for. Nobody enters a longer one, but a server could issue longer tokens. */
export const LONGEST_SECRET = 8_192
/** With their variants. */
const MAX_SECRETS = 5_000

export function createSecretMask(secrets: Iterable<string> = []): SecretMask {
  const known = new Set<string>()
  let finder: TextFinder | undefined

  function add(secret: string): void {
    for (const value of variants(secret)) {
      if (known.size >= MAX_SECRETS || known.has(value)) continue
      known.add(value)
      finder = undefined
    }
  }

  function text(value: string): string {
    if (known.size === 0) return value
    finder ??= createTextFinder(known)
    /** Where secrets are, without overlaps. */
    const places: { start: number; end: number }[] = []
    finder.find(value, (start, end) => {
      if (end - start < SHORT && !isWord(value, start, end)) return true
      let from = start
      for (let last = places.at(-1); last && last.end > from; last = places.at(-1)) {
        from = Math.min(from, last.start)
        places.pop()
      }
      places.push({ start: from, end })
      return false
    })
    if (places.length === 0) return value
    const kept = places.map(({ start }, at) => value.slice(places[at - 1]?.end ?? 0, start))
    return [...kept, value.slice(places.at(-1)!.end)].join(REDACTED)
  }

  function json(value: unknown): unknown {
    if (known.size === 0) return value
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) {
      const masked = value.map(json)
      return masked.some((item, index) => item !== value[index]) ? masked : value
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const masked = entries.map(([key, inner]) => [key, json(inner)] as const)
    const isSame = masked.every(([, inner], index) => inner === entries[index]![1])
    return isSame ? value : Object.fromEntries(masked)
  }

  for (const secret of secrets) add(secret)
  return { add, text, json: json as SecretMask['json'] }
}

const LETTER_OR_DIGIT = /[A-Za-z0-9]/

function isWord(text: string, start: number, end: number): boolean {
  return !LETTER_OR_DIGIT.test(text[start - 1] ?? '') && !LETTER_OR_DIGIT.test(text[end] ?? '')
}

/** A secret as it appears in texts: unchanged, in URLs and forms, in JSON, in base64, and line by line. */
function variants(secret: string): Set<string> {
  const trimmed = secret.trim().slice(0, LONGEST_SECRET)
  const lines = trimmed.split(/\r?\n/)
  const inUrl = encodeURIComponent(trimmed.toWellFormed())
  const inForm = new URLSearchParams([['', trimmed]]).toString().slice(1)
  const lowerCase = (text: string) => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
  return new Set(
    [
      trimmed,
      ...[inUrl, lowerCase(inUrl), inForm, lowerCase(inForm)],
      ...(trimmed.length < SHORT ? [] : [trimmed, inForm].flatMap(inBase64)),
      JSON.stringify(trimmed).slice(1, -1),
      ...(lines.length > 1 ? lines.filter((line) => line.length >= SHORTEST_LINE) : []),
    ].filter((value) => value.length >= SHORTEST),
  )
}

/** What base64 of a longer text contains of a secret, wherever it starts in that text, such as after a user name. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    // Characters with bits of the text before or after it differ.
    const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((encoding) =>
      bytes.toString(encoding).slice(start, end),
    )
  })
}
