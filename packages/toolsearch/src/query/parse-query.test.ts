import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { parseQuery, type QuerySyntax } from './parse-query.ts'

describe('parseQuery: names', () => {
  it.each<[string, string[]]>([
    ['select:read_file', ['read_file']],
    ['select:read_file,write_file', ['read_file', 'write_file']],
    ['select: read_file , write_file ', ['read_file', 'write_file']],
    ['select:b,a,c', ['b', 'a', 'c']],
    ['select:b,a,b,b,a', ['b', 'a']],
    ['select:a,,b,', ['a', 'b']],
    ['SELECT:Read', ['Read']],
    ['Select:Read,read', ['Read', 'read']],
    ['sElEcT :Read', ['Read']],
    ['  select:a  ', ['a']],
    ['\n\tselect:a\n', ['a']],
    ['"select:a,b"', ['a', 'b']],
    ["'select:a,b'", ['a', 'b']],
    ['`select:a`', ['a']],
    ['select:"a","b"', ['a', 'b']],
    ["select:'a', `b`", ['a', 'b']],
    ['select:["a", "b"]', ['a', 'b']],
    ['select:(a,b)', ['a', 'b']],
    ['select:"a", a', ['a']],
    ['select:mcp__github__create_issue', ['mcp__github__create_issue']],
    ['select:mcp:weird.name-1', ['mcp:weird.name-1']],
    ['select:读取文件,😀', ['读取文件', '😀']],
    ['select:two words, +plus', ['two words', '+plus']],
    ['select:select:a', ['select:a']],
  ])('parses %j as a select query', (text, names) => {
    expect(parseQuery(text)).toEqual({ kind: 'select', text: text.trim(), names })
  })

  it('recognises no other prefix', () => {
    for (const text of ['selects:a', 'preselect:a', 'select a', 'select', 'x select:a']) {
      expect(parseQuery(text).kind).toBe('words')
    }
  })

  it('treats "select:" as a keyword if that form is disabled', () => {
    expect(parseQuery('select:a,b', { select: false })).toMatchObject({
      kind: 'words',
      name: 'select:a,b',
      terms: ['select:a,b'],
    })
  })

  it.each([
    ['read_file', 'read_file'],
    [' read_file\n', 'read_file'],
    ['"read_file"', 'read_file'],
    ["'read_file'", 'read_file'],
    ['`read_file`', 'read_file'],
    ['"`read_file`"', 'read_file'],
    ['["read_file"]', 'read_file'],
    ['(read_file),', 'read_file'],
    ['**read_file**', 'read_file'],
    ['<read_file>', 'read_file'],
    ['read_file.', 'read_file'],
    ['read_file?', 'read_file'],
    ['_private_', '_private_'],
    ['mcp__github__create_issue', 'mcp__github__create_issue'],
    ['ReadFile', 'ReadFile'],
    ["it's", "it's"],
    ['读取文件', '读取文件'],
  ])('reads %j as the name %j', (text, name) => {
    expect(parseQuery(text)).toMatchObject({ kind: 'words', text: text.trim(), name })
  })
})

describe('parseQuery: keywords', () => {
  it.each<[string, string[], string[]]>([
    ['read file', ['read', 'file'], []],
    ['  Read \t FILE\n', ['read', 'file'], []],
    ['read read', ['read', 'read'], []],
    ['+github issue', ['github', 'issue'], ['github']],
    ['issue +GitHub', ['issue', 'github'], ['github']],
    ['+a +b c', ['a', 'b', 'c'], ['a', 'b']],
    ['+a +a', ['a', 'a'], ['a']],
    ['a +a', ['a', 'a'], ['a']],
    ['++github', ['github'], ['github']],
    ['+ github', ['github'], []],
    ['github +', ['github'], []],
    ['a+b', ['a+b'], []],
    ['c++', ['c'], []],
    ['"+github"', ['github'], ['github']],
    ['+"github"', ['github'], ['github']],
    ['(+github,', ['github'], ['github']],
    ['"read file"', ['read', 'file'], []],
    ['`read_file`', ['read_file'], []],
    ['read, write; list.', ['read', 'write', 'list'], []],
    ['What is this?!', ['what', 'is', 'this'], []],
    ['(read) [write] {list} <go>', ['read', 'write', 'list', 'go'], []],
    ['“read” «write»', ['read', 'write'], []],
    ['mcp__github__create_issue', ['mcp__github__create_issue'], []],
    ['user.name@example.org', ['user.name@example.org'], []],
    ['🚀 deploy 🚀', ['deploy'], []],
    ['读取 文件。', ['读取', '文件'], []],
    ['Straße ÄNDERN', ['straße', 'ändern'], []],
    ['фАЙЛ', ['файл'], []],
    ['फ़ाइल पढ़ें', ['फ़ाइल', 'पढ़ें'], []],
    ['.* [a-z]+ (?:x)', ['a-z', 'x'], []],
  ])('parses %j as keywords', (text, terms, required) => {
    expect(parseQuery(text)).toMatchObject({ kind: 'words', text: text.trim(), terms, required })
  })

  it.each<[string, QuerySyntax, string[], string[]]>([
    ['+github "read,', { required: false }, ['github', 'read'], []],
    ['+github "read,', { punctuation: 'keep' }, ['github', '"read,'], ['github']],
    ['+"a" (+b)', { punctuation: 'keep' }, ['"a"', '(+b)'], ['"a"']],
    ['+a', { punctuation: 'keep', required: false }, ['+a'], []],
    ['+ ? A', { punctuation: 'keep' }, ['?', 'a'], []],
    ['+ ? A', { punctuation: 'keep', required: false }, ['+', '?', 'a'], []],
  ])('parses %j with the syntax %j', (text, syntax, terms, required) => {
    expect(parseQuery(text, syntax)).toMatchObject({ kind: 'words', terms, required })
  })

  it('returns the result shown in its documentation', () => {
    expect(parseQuery('+github issue')).toEqual({
      kind: 'words',
      text: '+github issue',
      name: '+github issue',
      terms: ['github', 'issue'],
      required: ['github'],
    })
  })
})

describe('parseQuery: blank queries', () => {
  it.each([
    '',
    ' ',
    ' \t\r\n\u00a0\u3000',
    '+',
    '+ + +',
    '+'.repeat(2_000),
    '"',
    '""',
    '``',
    '?!',
    '.*',
    '+"',
    '_ - .',
    'select:',
    'SELECT :',
    'select: , ,',
    'select:""',
    '"select:"',
  ])('parses %j as blank', (text) => {
    expect(parseQuery(text)).toEqual({ kind: 'blank', text: text.trim() })
  })

  it('parses whitespace and lone plus signs as blank even if punctuation is kept', () => {
    expect(parseQuery(' \n', { punctuation: 'keep' }).kind).toBe('blank')
    expect(parseQuery('+ ++', { punctuation: 'keep' }).kind).toBe('blank')
  })
})

describe('parseQuery: any text', () => {
  const codeUnits = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units))
  const piece = fc.constantFrom(
    ...[
      '+',
      ' ',
      'select:',
      'SELECT:',
      ',',
      '"',
      '`',
      "'",
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.*',
      '\\',
    ],
    ...[
      '^$',
      '|',
      '?',
      'a',
      'B',
      '1',
      '_',
      '中',
      'の',
      'ไ',
      '한',
      '😀',
      '👨‍👩‍👧',
      '\ud83d',
      '\ude00',
    ],
    ...['\u0301', '\0', '\u200b', '\u202e', '\n', 'İ', 'ß', 'ǅ', '\ufeff'],
  )
  const pieces = fc.array(piece, { maxLength: 60 }).map((list) => list.join(''))
  const long = fc.tuple(piece, fc.integer({ min: 1, max: 10_000 })).map(([one, times]) => {
    return one.repeat(times).slice(0, 10_000)
  })
  const anyText = fc.oneof(
    codeUnits,
    pieces,
    long,
    fc.string({ unit: anyCharacter, maxLength: 10_000, size: 'max' }),
  )
  const syntax = fc.record<QuerySyntax>({
    select: fc.boolean(),
    required: fc.boolean(),
    punctuation: fc.constantFrom('strip', 'keep'),
  })

  it('never throws and always returns a well-formed query', async () => {
    await checkProperty(
      fc.property(anyText, syntax, (text, choices) => {
        const query = parseQuery(text, choices)
        expect(query.text.isWellFormed()).toBe(true)
        expect(query.text).toBe(query.text.trim())
        if (query.kind === 'select') {
          expect(choices.select).toBe(true)
          expect(query.names.length).toBeGreaterThan(0)
          expect(new Set(query.names).size).toBe(query.names.length)
          for (const name of query.names) expect(name.trim()).toBe(name)
          expect(query.names).not.toContain('')
        }
        if (query.kind === 'words') {
          expect(query.terms.length).toBeGreaterThan(0)
          expect(query.terms).not.toContain('')
          for (const term of query.terms) expect(term).toBe(term.toLowerCase())
          for (const term of query.terms) expect(term).not.toMatch(/\s/)
          expect(query.terms).toEqual(expect.arrayContaining([...query.required]))
          expect(new Set(query.required).size).toBe(query.required.length)
          if (!choices.required) expect(query.required).toEqual([])
        }
      }),
    )
  })

  it('splits letters and spaces into words', async () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    await checkProperty(
      fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), (words) => {
        expect(parseQuery(words.join(' '))).toMatchObject({ terms: words, required: [] })
        expect(parseQuery(words.map((one) => `+${one}`).join(' '))).toMatchObject({
          terms: words,
          required: [...new Set(words)],
        })
      }),
    )
  })

  it('parses any names joined with commas as a select query', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_]([A-Za-z0-9_.:-]{0,18}[A-Za-z0-9_])?$/)
    await checkProperty(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 10 }), (names) => {
        expect(parseQuery(`select:${names.join(',')}`)).toMatchObject({ kind: 'select', names })
      }),
    )
  })

  it('reads all names of a long select query', () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `server_${i}__tool`)
    const query = parseQuery(` select:${names.join(', ')}`)
    expect(query).toMatchObject({ kind: 'select', names })
  })

  it('reads at most 2,000 characters of keywords and does not split a surrogate pair', () => {
    const query = parseQuery(`${'a'.repeat(1_999)}😀 last`)
    expect(query.text).toBe(`${'a'.repeat(1_999)}\ufffd`)
    expect(parseQuery(`${' '.repeat(2_000)}last`).kind).toBe('blank')
  })

  it('replaces a lone surrogate', () => {
    expect(parseQuery('select:a\ud83d')).toMatchObject({ names: ['a\ufffd'] })
  })

  it.each([
    ['exclamation marks', `a${'!'.repeat(9_990)}a`],
    ['commas', `a${','.repeat(9_990)}a`],
    ['emoji', `a${'😀'.repeat(4_990)}a`],
    ['brackets in a name', `select:a${'('.repeat(9_980)}a`],
  ])('parses 10 kB of %s between two letters in linear time', (_, text) => {
    expect(parseQuery(text).kind).not.toBe('blank')
  })
})
