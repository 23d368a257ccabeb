import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { wordsOf } from './words.ts'

describe('wordsOf', () => {
  it.each<[string, [string, ...string[]][]]>([
    ['', []],
    [' \n\t.,;:!?—_-/\\"\'()[]{}<>|@#$%^&*+=~`', []],
    ['read a file', [['read'], ['a'], ['file']]],
    ['Read FILE', [['read'], ['file']]],
    ['read_file', [['read'], ['file']]],
    ['mcp__git-hub.create/issue', [['mcp'], ['git'], ['hub'], ['create'], ['issue']]],
    ['getHTTPServer', [['gethttpserver', 'get', 'http', 'server']]],
    ['listURLs now', [['listurls', 'list', 'urls'], ['now']]],
    ['S3', [['s3']]],
    ['base64', [['base64', 'base', '64']]],
    ['2024', [['2024']]],
    ['Größe ändern', [['größe'], ['ändern']]],
    ['Прочитать ФАЙЛ', [['прочитать'], ['файл']]],
    ['اقرأ الملف', [['اقرأ'], ['الملف']]],
    ['फ़ाइल पढ़ें', [['फ़ाइल'.normalize('NFKC')], ['पढ़ें'.normalize('NFKC')]]],
    ['tệp tiếng Việt', [['tệp'], ['tiếng'], ['việt']]],
    ['ﬁle １２', [['file'], ['12']]],
    ['😀 go 👨‍👩‍👧', [['go']]],
    ['file 书 x', [['file'], ['书'], ['x']]],
  ])('reads %j', (text, words) => {
    expect([...wordsOf(text)].map(({ whole, pieces }) => [whole, ...pieces])).toEqual(words)
  })

  it.each<[string, string, string[]]>([
    ['Japanese', 'ファイル', ['ファ', 'ァイ', 'イル', 'ファイル']],
    ['Kana between ideographs', '新しいメモ', ['しい', 'いメ', 'メモ']],
    ['Korean', '파일을', ['파일', '일을']],
    ['Thai', 'ไฟล์', ['ไฟ', 'ฟล', 'ล์']],
  ])('splits %s into overlapping pairs', (_, text, pairs) => {
    expect(wholes(text)).toEqual(expect.arrayContaining(pairs))
  })

  it.each<[string, string, string[]]>([
    ['Chinese', '删除文件', ['删除', '文件', '删', '除', '文', '件']],
    ['Chinese next to Latin', 'PDF文件v2', ['pdf', '文件', '文', '件', 'v2']],
    ['rare ideographs', '𠮷野家', ['𠮷', '野', '家']],
  ])('splits %s into words and single characters', (_, text, words) => {
    expect(wholes(text)).toEqual(expect.arrayContaining(words))
  })

  it('counts single ideographs and pairs of Kana for less than words', () => {
    const weights = Object.fromEntries(
      wordsOf('删除ファイル').map(({ whole, weight = 1 }) => [whole, weight]),
    )
    expect(weights).toMatchObject({ 删除: 1, ファイル: 1 })
    expect(weights.删).toBeLessThan(1)
    expect(weights.ファ).toBeLessThan(1)
  })

  it('leaves out particles of Chinese and Japanese', () => {
    expect(wholes('我的文件')).not.toContain('的')
    expect(wholes('予定を追加')).not.toContain('を')
  })

  it('adds the longer words that a segmenter finds in a run without spaces', () => {
    expect(wholes('予定をカレンダーに追加')).toContain('カレンダー')
    expect(wholes('แปลภาษาอังกฤษ')).toContain('ภาษา')
  })

  it('returns the same words for every encoding of a character', () => {
    for (const text of [
      'École à Zürich',
      'tiếng Việt',
      'がぎぐげご',
      '파일을 읽는다',
      'ファイルガ',
    ]) {
      expect([text, wholes(text.normalize('NFD'))]).toEqual([text, wholes(text.normalize('NFC'))])
    }
  })

  it('reads half-width Japanese like full-width Japanese', () => {
    expect(wholes('ﾌｧｲﾙ')).toEqual(wholes('ファイル'))
  })

  it('returns the same words for the same text', () => {
    const text = 'getHTTPServer 读取文件 ไฟล์'
    expect([...wordsOf(text)]).toEqual([...wordsOf(text)])
  })

  it('accepts any text and returns words in lower case without spaces', async () => {
    const units = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 })
      .map((list) => String.fromCharCode(...list))
    await checkProperty(
      fc.property(fc.oneof(units, fc.string({ unit: anyCharacter, maxLength: 200 })), (text) => {
        for (const { whole, pieces } of wordsOf(text)) {
          for (const word of [whole, ...pieces]) {
            expect(word).not.toBe('')
            expect(word).toBe(word.toLowerCase())
          }
          expect(pieces).not.toHaveLength(1)
        }
      }),
    )
  })

  it.each([
    ['letters', 'a'],
    ['capitals', 'A'],
    ['changing case', 'aB'],
    ['plural acronyms', 'IDs'],
    ['digits', '7'],
    ['Korean', '파일을'],
  ])('accepts 200 kB of %s without a space', (_, unit) => {
    expect(wholes(unit.repeat(200_000 / unit.length)).length).toBeGreaterThan(0)
  })

  it.each([
    ['Chinese', '在项目中创建一个新的任务并分配给指定的成员'],
    ['Japanese', 'プロジェクトに新しいタスクを作成します'],
    ['Thai', 'สร้างงานใหม่ในโครงการ'],
  ])('accepts 50 kB of %s', (_, sentence) => {
    const text = sentence.repeat(Math.ceil(50_000 / sentence.length))
    expect(wholes(text)).toEqual(expect.arrayContaining(wholes(sentence).slice(0, 3)))
  })
})

function wholes(text: string): string[] {
  return [...wordsOf(text)].map(({ whole }) => whole)
}
