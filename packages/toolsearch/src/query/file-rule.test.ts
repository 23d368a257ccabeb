import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { filesToWrite } from './file-rule.ts'

const found = (text: string) => filesToWrite(text).map(({ path, need }) => [path, need])

describe('filesToWrite', () => {
  it.each<[text: string, path: string, need: string]>([
    ['save the table as report.xlsx', 'report.xlsx', 'create spreadsheet'],
    ['Write a summary to /root/notes/summary.docx.', '/root/notes/summary.docx', 'write document'],
    ['export the slides into "deck.pptx"', 'deck.pptx', 'create presentation'],
    ['put the result in `out/data.json`, please', 'out/data.json', 'write file'],
    ['create a folder ./outputs/run-1 for it', './outputs/run-1', 'write file'],
    ['generating C:\\Temp\\log.txt', 'C:\\Temp\\log.txt', 'write file'],
    ['Saved as ÜBERSICHT.CSV', 'ÜBERSICHT.CSV', 'write file'],
  ])('finds the file in %j', (text, path, need) => {
    expect(found(text)).toEqual([[path, need]])
  })

  it.each([
    ['a file that is only read', 'read config.json and tell me the port'],
    ['a verb that is far away', `create ${'very '.repeat(20)}good use of report.xlsx`],
    ['a verb that comes later', 'open report.xlsx and save time'],
    ['an address', 'save https://example.com/report.xlsx for later'],
    ['a library', 'write a component in Node.js with Vue.js'.replaceAll('.js', '.JS5')],
    ['a version', 'create release v1.2.3'],
    ['a sentence that ends in a dot', 'create a list of things to write.'],
    ['no text', ''],
  ])('finds none in %s', (_, text) => {
    expect(found(text)).toEqual([])
  })

  it('returns the positions of several files in order', () => {
    const text = 'write a.txt, then save b.xlsx'
    const files = filesToWrite(text)
    expect(files.map(({ from, to }) => text.slice(from, to))).toEqual(['a.txt', 'b.xlsx'])
  })

  it('returns positions of the path for any text', async () => {
    await checkProperty(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const query = `save ${text} to x.csv`
        for (const { path, from, to } of filesToWrite(query)) {
          expect(query.slice(from, to)).toBe(path)
        }
      }),
    )
  })

  it('accepts a document with thousands of paths', () => {
    expect(filesToWrite('save a.txt '.repeat(10_000))).toHaveLength(10_000)
    expect(filesToWrite('/'.repeat(100_000))).toEqual([])
  })
})
