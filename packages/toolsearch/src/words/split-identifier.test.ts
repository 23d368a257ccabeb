import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { splitIdentifier } from './split-identifier.ts'

describe('splitIdentifier', () => {
  it.each<[string, string[]]>([
    ['readFile', ['read', 'File']],
    ['ReadFile', ['Read', 'File']],
    ['read_file', ['read', 'file']],
    ['read-file.now', ['read', 'file', 'now']],
    ['READ_FILE', ['READ', 'FILE']],
    ['__read__', ['read']],
    ['getHTTPServerURL', ['get', 'HTTP', 'Server', 'URL']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['parseXML', ['parse', 'XML']],
    ['XMLHttpRequest', ['XML', 'Http', 'Request']],
    ['getX', ['get', 'X']],
    ['ASimpleTest', ['A', 'Simple', 'Test']],
    ['listURLs', ['list', 'URLs']],
    ['getIDsOfUsers', ['get', 'IDs', 'Of', 'Users']],
    ['URLs', ['URLs']],
    ['s3Bucket', ['s', '3', 'Bucket']],
    ['base64Encode', ['base', '64', 'Encode']],
    ['HTTP2Server', ['HTTP', '2', 'Server']],
    ['v1beta2', ['v', '1', 'beta', '2']],
    ['x509', ['x', '509']],
    ['2fa', ['2', 'fa']],
    ['ÜberÄnderung', ['Über', 'Änderung']],
    ['größeÄndern', ['größe', 'Ändern']],
    ['читатьФайл', ['читать', 'Файл']],
    ['ΑρχείοΝέο', ['Αρχείο', 'Νέο']],
    ['फ़ाइलपढ़ें', ['फ़ाइलपढ़ें']],
    ['قراءة', ['قراءة']],
    ['日本語', ['日本語']],
    ['file文件', ['file文件']],
    ['a', ['a']],
    ['A', ['A']],
    ['7', ['7']],
    ['', []],
    ['_-.', []],
    ['😀', []],
  ])('splits %j', (name, pieces) => {
    expect(splitIdentifier(name)).toEqual(pieces)
  })

  it('keeps a letter and its accent together in every encoding', () => {
    for (const name of ['École', 'éÀÉ', 'getÉcoles', 'ÜBUNG', 'ÅÄÖs']) {
      const composed = splitIdentifier(name.normalize('NFC')).map((one) => one.normalize('NFC'))
      const decomposed = splitIdentifier(name.normalize('NFD')).map((one) => one.normalize('NFC'))
      expect(decomposed).toEqual(composed)
    }
  })

  it('loses no letter and no digit', async () => {
    const character = fc.constantFrom(...'aBcDs7_-.éÀ中अ한я'.split(''), 'ǅ')
    await checkProperty(
      fc.property(fc.string({ unit: character, maxLength: 20 }), (name) => {
        expect(splitIdentifier(name).join('')).toBe(name.replace(/[-_.]/g, ''))
      }),
    )
  })
})
