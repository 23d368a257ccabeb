import { readFileSync, statSync } from 'node:fs'
import { createLexicon } from 'toolsearch/rankers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadLexicon as fetchLexicon } from './load-lexicon.browser.ts'
import { loadLexicon } from './load-lexicon.ts'

const FILE = new URL('../data/lexicon.bin', import.meta.url)
const lexicon = createLexicon(loadLexicon())

describe('loadLexicon', () => {
  it('loads a file of at most 1.5 MB', () => {
    expect(statSync(FILE).size).toBeLessThanOrEqual(1_500_000)
  })

  it.each([
    ['Lies die Datei config.json', 'read file config.json'],
    ['envía un correo a Juan', 'send email Juan'],
    ['crée un ticket GitHub', 'create ticket GitHub'],
    ['查询今天的天气', 'query today weather'],
    ['列出所有打开的问题', 'list open issue'],
    ['покажи погоду', 'show weather'],
    ['今日の天気を教えて', 'today weather'],
  ])('translates %j to %j', (text, english) => {
    expect(lexicon.detect(text)).toBeDefined()
    expect(lexicon.translate(text).text).toBe(english)
  })

  it.each([
    'read the file config.json',
    'send an email to Juan in San José',
    'Reserve a table for me at Le Petit Café tomorrow',
    'What is the weather in Los Angeles?',
    'create a GitHub issue for der_die_das.ts',
    'list containers',
    'desribe tabel',
    'kubectl get pods -n kube-system',
    'schedule a meeting with Jürgen Müller',
  ])('takes %j for English', (text) => {
    expect(lexicon.detect(text)).toBeUndefined()
  })
})

describe('loadLexicon in a browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('fetches the same bytes', async () => {
    vi.stubGlobal('fetch', async (url: URL) => new Response(readFileSync(url)))
    expect(Buffer.from(await fetchLexicon()).equals(loadLexicon())).toBe(true)
  })

  it('names the URL if the lexicon is missing', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
    await expect(fetchLexicon('/lexicon.bin')).rejects.toThrow(
      '/lexicon.bin responded with status 404',
    )
  })
})
