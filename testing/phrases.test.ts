import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Phrases that readers stumble over, and what to write instead. See "Writing" in CONTRIBUTING.md. */
const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\b(is|are|was|were) told\b|\btell(s|ing)? of\b/, 'name the subject: "the gateway reports …"'],
  [/(?<!there )\b(is|are) (another|others|none)\b/, '"differs", "changed", "is not a …"'],
  [/(?<!there )\b(is|are) no (?!longer|more|less|different)/, '"is not a …"'],
  [/\bsays? of (itself|themselves|it)\b/, '"annotations", "description"'],
  [/\bof those not given\b|\bjust missed\b/, '"near misses"'],
  [/\blast words\b/, '"recent log output"'],
  [/\bmend(s|ed|ing)?\b/, '"fix", "repair"'],
  [/\b(from before|as it (came|stands))\b/, '"cached", "unchanged"'],
  [/\bhanded (over|on)\b/, '"passed", "forwarded"'],
  [/\blooked (at|into) (by|without)\b|\blooks? into rooms?\b/, '"read", "imports"'],
  [/\bwho leaves so\b|\b(is|are) sent away\b/, '"is disconnected"'],
  [/\ba wish to\b|\bwishes\b/, '"a request to"'],
  [/\bwhoever\b/, '"the caller", "anyone who"'],
  [/\brightly\b/, '"correctly"'],
  [/\bbeside\b/, '"next to", "compared with"'],
  [/\blikeness\b/, '"similarity"'],
  [/\b(hearers?|lifelines?)\b/, '"listener", "reconnector"'],
  [/\b(is|are) taken for\b/, '"is treated as"'],
]

const root = join(import.meta.dirname, '..')
// The changelog describes past versions in their own words.
const SKIPPED = ['CHANGELOG.md', 'testing/phrases.test.ts']

it('contains none of the phrases that readers stumble over', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.js', '*.css', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = files
    .split('\n')
    .filter((file) => file !== '' && !SKIPPED.includes(file))
    .flatMap(phrasesIn)
  expect(found, 'Rewrite these lines. See "Writing" in CONTRIBUTING.md.').toEqual([])
})

const ANY_PHRASE = new RegExp(PHRASES.map(([{ source }]) => source).join('|'), 'i')

function phrasesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (!ANY_PHRASE.test(text)) return []
  return text.split('\n').flatMap((line, at) =>
    PHRASES.flatMap(([phrase, instead]) => {
      const match = new RegExp(phrase, 'i').exec(line)
      return match ? [`${file}:${at + 1}: "${match[0]}" → ${instead}`] : []
    }),
  )
}
