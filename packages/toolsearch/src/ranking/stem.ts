const VOWEL = /[aeiouy]/

/**
 * Takes the commonest English endings off a lower-case word, so that `messages`, `messaging` and
 * `message` meet. Words in other alphabets come back as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const base = withoutEnding(withoutPlural(word))
  if (base.length > 3 && base.endsWith('e')) return base.slice(0, -1)
  if (base.length > 3 && base.endsWith('y')) return `${base.slice(0, -1)}i`
  return base
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutEnding(word: string): string {
  const inflected = /^(.{3,})(?:ing|ed)$/.exec(word)?.[1]
  if (inflected !== undefined && VOWEL.test(inflected)) {
    return /([^lsz])\1$/.test(inflected) ? inflected.slice(0, -1) : inflected
  }
  return /^.{3,}[st]ion$/.test(word) ? word.slice(0, -3) : word
}
