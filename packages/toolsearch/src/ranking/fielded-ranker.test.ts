import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { describeRanker, namesOf, partsOf, readWords, scoresOf } from './ranker.cases.ts'

describe('fieldedRanker', () => {
  describeRanker(fieldedRanker)

  it.each([
    ['the name', { name: 'forecast' }, 'name'],
    ['the title', { name: 'a', title: 'Forecast' }, 'name'],
    ['the source', { name: 'a', source: 'mcp:forecast' }, 'source'],
    ['the hint', { name: 'a', searchHint: 'forecast' }, 'hint'],
    ['a tag', { name: 'a', tags: ['forecast'] }, 'hint'],
    ['the description', { name: 'a', description: 'A forecast.' }, 'description'],
    ['a parameter', { name: 'a', inputSchema: { properties: { forecast: {} } } }, 'parameters'],
    [
      'the description of a parameter',
      { name: 'a', inputSchema: { properties: { x: { description: 'Forecast' } } } },
      'parameters',
    ],
    [
      'an enum value of a parameter',
      { name: 'a', inputSchema: { properties: { x: { enum: ['forecast'] } } } },
      'parameters',
    ],
  ])('finds a word in %s and reports the field', (_, definition, field) => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition(definition))
    ranker.set(readDefinition({ name: 'other', description: 'Something else' }))
    expect(namesOf(ranker, 'forecast')).toEqual([definition.name])
    expect(partsOf(ranker, 'forecast', definition.name)[0]).toMatchObject({
      term: 'forecast',
      field,
      match: 'word',
    })
  })

  it('does not search metadata or output schemas', () => {
    const ranker = fieldedRanker()
    ranker.set(
      readDefinition({
        name: 'a',
        metadata: { note: 'forecast' },
        outputSchema: { properties: { forecast: {} } },
      }),
    )
    expect(scoresOf(ranker, 'forecast')).toEqual([])
  })

  it('weights a word by its field', () => {
    const ranker = fieldedRanker()
    const described = { properties: { x: { description: 'rain' } } }
    ranker.set(readDefinition({ name: 'f', inputSchema: described }))
    ranker.set(readDefinition({ name: 'e', inputSchema: { properties: { rain: {} } } }))
    ranker.set(readDefinition({ name: 'd', description: `rain ${'one of two three '.repeat(3)}` }))
    ranker.set(readDefinition({ name: 'c', source: 'mcp:rain' }))
    ranker.set(readDefinition({ name: 'b', searchHint: 'rain wind sun snow fog' }))
    ranker.set(readDefinition({ name: 'rain_check' }))
    const names = namesOf(ranker, 'rain')
    expect(names[0]).toBe('rain_check')
    expect(names.slice(1, 3).sort()).toEqual(['b', 'c'])
    expect(names.slice(3)).toEqual(['d', 'e', 'f'])
  })

  it('weights a rare word more than a common one', () => {
    const ranker = fieldedRanker()
    for (const name of ['a', 'b', 'c', 'd']) {
      ranker.set(readDefinition({ name, description: 'reads files' }))
    }
    ranker.set(readDefinition({ name: 'e', description: 'reads invoices' }))
    expect(namesOf(ranker, 'reads invoices')[0]).toBe('e')
  })

  it.each([
    ['messages', 'send_message'],
    ['messaging', 'send_message'],
    ['creating an issue', 'createIssue'],
    ['issues', 'createIssue'],
    ['translation', 'translate_text'],
    ['queries', 'run_query'],
  ])('ignores the endings of %j', (text, name) => {
    const ranker = fieldedRanker()
    for (const one of ['send_message', 'createIssue', 'translate_text', 'run_query']) {
      ranker.set(readDefinition({ name: one }))
    }
    expect(namesOf(ranker, text)).toEqual([name])
  })

  it('does not confuse words that only share a stem by accident', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'take_notes' }))
    ranker.set(readDefinition({ name: 'send', description: 'Does not send twice' }))
    expect(namesOf(ranker, 'note')).toEqual(['take_notes'])
  })

  it('ignores stop words', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'forecast', description: 'Rain' }))
    ranker.set(readDefinition({ name: 'a', description: 'This is what you can do with the tool' }))
    expect(namesOf(ranker, 'Could you please help me with the rain?')).toEqual(['forecast'])
    expect(scoresOf(ranker, 'what can you do')).toEqual([])
  })
})

describe('fieldedRanker with names', () => {
  it.each([
    ['server', 'getHTTPServerURL'],
    ['http url', 'getHTTPServerURL'],
    ['HTTPServer', 'getHTTPServerURL'],
    ['issue', 'mcp__github__create_issue'],
    ['github', 'mcp__github__create_issue'],
    ['bucket', 's3Bucket'],
    ['message', 'chat.postMessage'],
    ['post', 'chat.postMessage'],
    ['pdf', 'exportPDFs'],
  ])('finds %j in the name %s', (text, name) => {
    const ranker = fieldedRanker()
    for (const one of [
      'getHTTPServerURL',
      'mcp__github__create_issue',
      's3Bucket',
      'chat.postMessage',
      'exportPDFs',
    ]) {
      ranker.set(readDefinition({ name: one }))
    }
    expect(namesOf(ranker, text)).toEqual([name])
  })

  it('finds part of a compound name even if another tool contains it as a separate word', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 's3_list' }))
    ranker.set(readDefinition({ name: 'uploadS3Object' }))
    ranker.set(readDefinition({ name: 'other' }))
    expect(namesOf(ranker, 's3')).toEqual(['s3_list', 'uploadS3Object'])
  })

  it.each([
    'mcp__tracker__create_issue',
    'MCP__TRACKER__CREATE_ISSUE',
    'create_issue',
    'create issue',
    'createIssue',
    '`create_issue`',
    '"mcp__tracker__create_issue"',
  ])('ranks the tool named %j above tools that mention it', (text) => {
    const ranker = fieldedRanker()
    const description = 'Use after create_issue. Create issue, create an issue, issues, tracker.'
    ranker.set(readDefinition({ name: 'mcp__tracker__create_issue_comment', description }))
    ranker.set(readDefinition({ name: 'create_many', description, searchHint: 'create issue' }))
    ranker.set(readDefinition({ name: 'mcp__tracker__create_issue' }))
    ranker.set(readDefinition({ name: 'issue_create', description }))
    expect(namesOf(ranker, text)[0]).toBe('mcp__tracker__create_issue')
  })

  it('ranks a tool with exactly this name above one that has it after a server prefix', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'mcp__fs__read_file', description: 'Read a file' }))
    ranker.set(readDefinition({ name: 'read_file' }))
    expect(namesOf(ranker, 'read_file')).toEqual(['read_file', 'mcp__fs__read_file'])
  })

  it.each([
    ['base64 encode', 'base64Encode'],
    ['base64_encode', 'base64Encode'],
    ['oauth2 login', 'oauth2Login'],
    ['s3 upload', 's3Upload'],
    ['http server url', 'HTTPServerURL'],
  ])('recognises %j as another spelling of the name %s', (text, name) => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name }))
    ranker.set(readDefinition({ name: 'other', description: text, searchHint: text }))
    expect(namesOf(ranker, text)[0]).toBe(name)
    expect(partsOf(ranker, text, name)).toContainEqual(expect.objectContaining({ match: 'exact' }))
  })

  it('ranks the tool with the queried name first in any catalogue', async () => {
    const word = fc.constantFrom('read', 'file', 'send', 'mail', 'list', 's3', 'base64', 'issue')
    const name = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('_')),
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => {
        return words.map((one) => one[0]!.toUpperCase() + one.slice(1)).join('')
      }),
    )
    const tool = fc.record({
      name,
      description: fc
        .array(fc.oneof(word, name), { maxLength: 30 })
        .map((words) => words.join(' ')),
    })
    const tools = fc.uniqueArray(tool, {
      selector: (one) => one.name.replaceAll('_', '').toLowerCase(),
      minLength: 1,
      maxLength: 8,
    })
    await checkProperty(
      fc.property(tools, (definitions) => {
        const ranker = fieldedRanker()
        for (const definition of definitions) ranker.set(readDefinition(definition))
        for (const definition of definitions) {
          expect(namesOf(ranker, definition.name)[0]).toBe(definition.name)
        }
      }),
    )
  })

  it('finds a tool whose name consists of stop words', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'forecast', description: 'Need help?' }))
    ranker.set(readDefinition({ name: 'help', description: 'Shows the manual' }))
    const [best] = scoresOf(ranker, 'help')
    expect(best?.[0]).toBe('help')
    expect(best?.[1]).toBeGreaterThan(0)
  })
})

describe('fieldedRanker with unknown words', () => {
  it('treats an unknown word as a prefix', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'list_channels' }))
    ranker.set(readDefinition({ name: 'send_mail' }))
    expect(namesOf(ranker, 'chan')).toEqual(['list_channels'])
    expect(partsOf(ranker, 'chan', 'list_channels')).toEqual([
      expect.objectContaining({ term: 'chan', found: 'channel', match: 'prefix', field: 'name' }),
    ])
  })

  it('treats an unknown word as a typing error', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'read_calendar' }))
    ranker.set(readDefinition({ name: 'send_mail' }))
    expect(namesOf(ranker, 'calender')).toEqual(['read_calendar'])
    expect(partsOf(ranker, 'calender', 'read_calendar')).toEqual([
      expect.objectContaining({ term: 'calend', found: 'calendar', match: expect.any(String) }),
    ])
  })

  it('matches synonyms, but weights the word itself more', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'remove_row' }))
    ranker.set(readDefinition({ name: 'delete_row' }))
    ranker.set(readDefinition({ name: 'send_mail' }))
    expect(namesOf(ranker, 'delete')).toEqual(['delete_row', 'remove_row'])
    expect(namesOf(ranker, 'erase')).toEqual(['delete_row', 'remove_row'])
    expect(partsOf(ranker, 'delete', 'remove_row')).toEqual([
      expect.objectContaining({ match: 'synonym', field: 'name' }),
    ])
  })

  it('prefers the tool with every word of the query in its name', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'mail_archive_export_settings' }))
    ranker.set(readDefinition({ name: 'mail_archive' }))
    ranker.set(readDefinition({ name: 'other' }))
    expect(namesOf(ranker, 'archive my mail today')[0]).toBe('mail_archive')
    expect(partsOf(ranker, 'archive my mail today', 'mail_archive')).toContainEqual(
      expect.objectContaining({ match: 'coverage' }),
    )
  })

  it('finds the same tools regardless of the order in which they were added', () => {
    const ranker = fieldedRanker()
    const fresh = fieldedRanker()
    const endings = [...'abcdfghjkl']
    for (const end of endings) {
      ranker.set(readDefinition({ name: `tool_${end}`, description: `quux${end}${end}` }))
    }
    for (const end of endings) {
      const definition = { name: `tool_${end}`, description: `quux${end}${end} now` }
      if (end < 'f') ranker.set(readDefinition(definition))
      fresh.set(
        readDefinition(end < 'f' ? definition : { ...definition, description: `quux${end}${end}` }),
      )
    }
    for (const text of ['quux', 'quuxzz', 'quuxaz']) {
      expect(scoresOf(ranker, text)).toEqual(scoresOf(fresh, text))
    }
  })
})

describe('fieldedRanker after many changes', () => {
  it('scores like a new ranker after thousands of tools with words of their own came and went', () => {
    const ranker = fieldedRanker()
    const fresh = fieldedRanker()
    const stays = { name: 'weather_report', description: 'Reports rainfall and sunshine' }
    ranker.set(readDefinition(stays))
    expect(namesOf(ranker, 'rainfal')).toEqual(['weather_report'])
    for (let i = 0; i < 1_500; i++) {
      const description = `brief${letters(i)} passing${letters(i)}`
      ranker.set(readDefinition({ name: `guest_${letters(i)}`, description }))
      if (i % 500 === 0) expect(namesOf(ranker, `brief${letters(i)}`)).toHaveLength(1)
      if (i >= 5) ranker.delete(`guest_${letters(i - 5)}`)
    }
    for (let i = 1_495; i < 1_500; i++) ranker.delete(`guest_${letters(i)}`)
    const late = { name: 'sunset', description: 'Tells when the sun sets, and about rain' }
    for (const one of [ranker, fresh]) {
      if (one === fresh) one.set(readDefinition(stays))
      one.set(readDefinition(late))
    }
    for (const text of ['rainfall', 'rainfal', 'sunsh', 'weather report', 'sun rain', 'guest']) {
      expect(scoresOf(ranker, text)).toEqual(scoresOf(fresh, text))
    }
  })
})

describe('fieldedRanker with other languages', () => {
  const definitions = [
    { name: 'zh_weather', description: '查询城市的天气预报' },
    { name: 'zh_file', description: '读取项目中的文件内容' },
    { name: 'zh_translate', description: '使用人工智能翻译文本' },
    { name: 'ja_calendar', description: 'カレンダーに予定を追加します' },
    { name: 'ja_mail', description: '新しいメールを送信する' },
    { name: 'th_weather', description: 'ค้นหาพยากรณ์อากาศของเมือง' },
    { name: 'th_file', description: 'อ่านไฟล์ในโครงการ' },
    { name: 'ko_file', description: '프로젝트의 파일을 읽습니다' },
    { name: 'ru_mail', description: 'Отправить письмо по электронной почте' },
    { name: 'de_resize', description: 'Ändert die Größe eines Bildes' },
    { name: 'ar_weather', description: 'يعرض حالة الطقس في المدينة' },
    { name: 'hi_file', description: 'परियोजना की फ़ाइल पढ़ता है' },
    { name: 'vi_file', description: 'Đọc nội dung của tệp' },
    { name: 'el_mail', description: 'Στέλνει ένα μήνυμα' },
    { name: 'en_weather', description: 'Shows the weather' },
  ]

  it.each([
    ['天气', 'zh_weather'],
    ['明天的天气怎么样', 'zh_weather'],
    ['读文件', 'zh_file'],
    ['翻译', 'zh_translate'],
    ['人工智能', 'zh_translate'],
    ['予定を追加', 'ja_calendar'],
    ['カレンダー', 'ja_calendar'],
    ['メール 送信', 'ja_mail'],
    ['พยากรณ์อากาศ', 'th_weather'],
    ['ไฟล์', 'th_file'],
    ['파일', 'ko_file'],
    ['파일 읽기', 'ko_file'],
    ['отправить письмо', 'ru_mail'],
    ['ПОЧТЕ', 'ru_mail'],
    ['größe', 'de_resize'],
    ['GRÖSSE ÄNDERT', 'de_resize'],
    ['الطقس', 'ar_weather'],
    ['फ़ाइल', 'hi_file'],
    ['đọc tệp', 'vi_file'],
    ['μήνυμα', 'el_mail'],
    ['weather', 'en_weather'],
  ])('finds the tool described in the language of %j', (text, name) => {
    const ranker = fieldedRanker()
    for (const definition of definitions) ranker.set(readDefinition(definition))
    expect(namesOf(ranker, text)[0]).toBe(name)
    expect(namesOf(ranker, text.normalize('NFD'))[0]).toBe(name)
  })

  it('finds a tool by its name in any language', () => {
    const ranker = fieldedRanker()
    for (const name of ['查询天气', 'メール送信', 'прочитатьФайл', 'größe_ändern']) {
      ranker.set(readDefinition({ name }))
    }
    expect(namesOf(ranker, '天气')).toEqual(['查询天气'])
    expect(namesOf(ranker, 'メール')).toEqual(['メール送信'])
    expect(namesOf(ranker, 'файл')).toEqual(['прочитатьФайл'])
    expect(namesOf(ranker, 'ändern')).toEqual(['größe_ändern'])
  })
})

describe('minConfidentScore of fieldedRanker', () => {
  it('is below the score of a tool queried by name and above that of a chance match', () => {
    const ranker = fieldedRanker()
    for (const name of ['send_mail', 'read_mail', 'list_rooms', 'book_room', 'open_door']) {
      ranker.set(readDefinition({ name, description: 'Works in the office' }))
    }
    const options = { limit: 1, ties: 'name' } as const
    const named = ranker.rank(readWords('send mail'), options)
    expect(named.hits[0]!.score).toBeGreaterThan(named.minConfidentScore!)
    const chance = ranker.rank(readWords('grow tomatoes behind an office in winter'), options)
    expect(chance.hits).toHaveLength(1)
    expect(chance.hits[0]!.score).toBeLessThan(chance.minConfidentScore!)
  })

  it('depends neither on the limit nor on the accepted tools', () => {
    const ranker = fieldedRanker()
    ranker.set(readDefinition({ name: 'send_mail' }))
    ranker.set(readDefinition({ name: 'read_mail' }))
    const query = readWords('send mail')
    const { hits, idealScore, minConfidentScore } = ranker.rank(query, { limit: 5, ties: 'name' })
    expect(hits).toHaveLength(2)
    expect(minConfidentScore).toBeGreaterThan(0)
    expect(ranker.rank(query, { limit: 0, ties: 'name', accepts: () => false })).toMatchObject({
      hits: [],
      idealScore,
      minConfidentScore,
    })
  })
})

describe('fieldedRanker with large input', () => {
  it('accepts a description of a megabyte and still finds other tools', () => {
    const ranker = fieldedRanker()
    const description = Array.from({ length: 150_000 }, (_, i) => `word${letters(i % 9_000)}`).join(
      ' ',
    )
    ranker.set(readDefinition({ name: 'huge', description }))
    ranker.set(readDefinition({ name: 'small', description: `word${letters(77)}` }))
    expect(namesOf(ranker, `word${letters(77)}`)).toEqual(['small', 'huge'])
    ranker.delete('huge')
    expect(namesOf(ranker, `word${letters(5_678)}`)).toEqual([])
  })

  it('explains the match of a long query with a long description', () => {
    const ranker = fieldedRanker()
    const words = Array.from({ length: 200 }, (_, i) => `alpha${i}`)
    const description = `${words.join(' ')} ${'other words '.repeat(16_000)}`
    ranker.set(readDefinition({ name: 'huge', description }))
    expect(partsOf(ranker, words.join(' '), 'huge')).toHaveLength(200)
  })

  it('accepts a query of 10 kB of unknown words with 2,000 tools', () => {
    const ranker = fieldedRanker()
    for (let i = 0; i < 2_000; i++) {
      const description = `word${letters(i)} other${letters(7 * i)}`
      ranker.set(readDefinition({ name: `tool_${i}`, description }))
    }
    const text = Array.from({ length: 900 }, (_, i) => `word${letters(i)}zzz`).join(' ')
    expect(text.length).toBeLessThan(10_000)
    expect(ranker.rank(readWords(text), { limit: 5, ties: 'name' }).hits.length).toBeLessThan(6)
  })

  it('does not search for typing errors in extremely long words', () => {
    const ranker = fieldedRanker()
    for (let i = 100; i < 108; i++) {
      const description = `${'ab'.repeat(900)}${letters(i)}`
      ranker.set(readDefinition({ name: `tool_${i}`, description }))
    }
    expect(scoresOf(ranker, `${'ab'.repeat(900)}xyz`)).toEqual([])
  })
})

function letters(number: number): string {
  return [...String(number)].map((digit) => 'qwrtpsdfgh'[Number(digit)]).join('')
}
