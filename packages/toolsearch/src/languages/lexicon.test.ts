import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { writeLexicon } from '../../../../training/lexicon/write-lexicon.ts'
import { lexiconBytes } from './lexicon.fixtures.ts'
import { createLexicon } from './lexicon.ts'
import { readLexicon } from './lexicon-format.ts'

const lexicon = createLexicon(lexiconBytes())

describe('createLexicon', () => {
  it('reads what writeLexicon wrote', () => {
    const bytes = lexiconBytes()
    expect(writeLexicon(readLexicon(bytes))).toEqual(bytes)
  })

  it('reads bytes that do not start at an even address', () => {
    const padded = new Uint8Array([0, 0, 0, ...lexiconBytes()])
    expect(createLexicon(padded.subarray(3)).translate('Datei').text).toBe('file')
  })

  it.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    ['empty', () => new Uint8Array(), 'it does not start with "TSLX"'],
    ['something else', () => new TextEncoder().encode('x'.repeat(99)), 'this is not a lexicon'],
    ['cut', (bytes) => bytes.slice(0, -1), 'but the file has'],
    ['of another version', (bytes) => changed(bytes, 4, 2), 'format version 2 is not supported'],
    ['damaged', (bytes) => changed(bytes, bytes.length - 1, 77), 'its checksum does not match'],
  ])('throws a LexiconError if the file is %s', (_, change, reason) => {
    const create = () => createLexicon(change(lexiconBytes()))
    expect(create).toThrow(reason)
    expect(create).toThrow(expect.objectContaining({ code: 'bad_lexicon' }))
  })
})

describe('detect', () => {
  it.each<[string, string, string[]]>([
    ['Lies die Datei config.json', 'latin', ['de']],
    ['el archivo', 'latin', ['es']],
    ['archivo', 'latin', ['es', 'pt']],
    ['o arquivo', 'latin', ['pt']],
    ['查天气', 'cjk', []],
    ['ファイルを開く', 'cjk', []],
    ['GitHub 问题', 'cjk', []],
    ['파일 읽기', 'hangul', []],
    ['прочитай файл', 'cyrillic', []],
    ['اقرأ الملف', 'arabic', []],
  ])('takes %j for %s %j', (text, script, codes) => {
    expect(lexicon.detect(text)).toEqual({ script, codes })
  })

  it.each([
    '',
    '123 !?',
    'read the file',
    'read the file Datei',
    'die_datei.txt',
    'translate 你好 for the people in the office',
    'unknown words only',
  ])('takes %j for English', (text) => {
    expect(lexicon.detect(text)).toBeUndefined()
  })
})

describe('translate', () => {
  it.each([
    ['Lies die Datei config.json', 'read file config.json'],
    ['Lies die Dateien', 'read file'],
    ['Wetterbericht', 'weather report'],
    ['Wettersbericht', 'weather report'],
    ['查天气', 'query weather'],
    ['GitHub的文件', 'GitHub file'],
    ['查/tmp/文件', 'query tmp file'],
    ['suche createIssue bei user@example.org', 'search createIssue bei user@example.org'],
    ['ＤＡＴＥＩ', 'file'],
  ])('translates %j to %j', (text, english) => {
    expect(lexicon.translate(text).text).toBe(english)
  })

  it('returns each word with its translation', () => {
    expect(lexicon.translate('Lies die Datei, Anna').words).toEqual([
      { from: 'Lies', to: 'read' },
      { from: 'Datei', to: 'file' },
    ])
  })

  it('ignores accents, which many people do not type', () => {
    expect(lexicon.translate('Datéi').text).toBe('file')
  })

  it('leaves the rest of a long document as it is', () => {
    const { text, words } = lexicon.translate('Datei '.repeat(2_000))
    expect(words.length).toBeLessThan(1_000)
    expect(text).toContain('Datei')
  })

  it('never throws, whatever the text', async () => {
    await checkProperty(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        lexicon.detect(text)
        expect(typeof lexicon.translate(text).text).toBe('string')
      }),
    )
  })
})

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  bytes[at] = value
  return bytes
}
