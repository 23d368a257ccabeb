import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { type CountTokens, estimateTokens } from './estimate-tokens.ts'

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    [' ', 1],
    ['\n', 1],
    ['a', 1],
    ['search', 1],
    ['The quick brown fox', 4],
    ['{"type":"string"}', 5],
    ['create_issue', 2],
    ['getUserById', 4],
    ['send-email', 2],
    ["don't", 1],
    ['1234567', 3],
  ])('counts %j as %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  it.each([
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', '\ude00 and more'],
    ['surrogates in the wrong order', '\ude00\ud83d'],
    ['joined emoji', '👨‍👩‍👧‍👦🏽🇺🇳'],
    ['control characters', '\0\u0001\u001b\u007f\u0085'],
    ['the ends of the code range', '\uffff\ufffe\u0080\u007f'],
    ['combining marks', 'e\u0301\u0302\u0303'],
    ['a zero-width space', '\u200b'],
    ['right-to-left marks', '\u202eabc\u202c'],
  ])('returns a positive integer for %s', (_, text) => {
    const tokens = estimateTokens(text)
    expect(Number.isInteger(tokens)).toBe(true)
    expect(tokens).toBeGreaterThan(0)
    expect(tokens).toBeLessThanOrEqual(3 * text.length)
  })

  it('handles any code unit after every kind of character', () => {
    const before = ['', 'a', 'A', '7', ' ', '\n', '"', '}', '\\', "a'", '_', 'я', '中', '\ud83d']
    // every code unit of the first alphabets, then some of each script
    for (let code = 0; code <= 0xffff; code += code < 0x600 ? 1 : 37) {
      const char = String.fromCharCode(code)
      for (const start of before) {
        if (!(estimateTokens(start + char) > 0)) expect.fail(`${start} then code ${code}`)
      }
    }
  })

  it.each(['a', ' ', '\n', '}', '=', '0', 'é', '中', '😀', 'word ', '"a":1,', '\ud800'])(
    'handles 200 kB of %j',
    (unit) => {
      const tokens = estimateTokens(unit.repeat(200_000 / unit.length))
      expect(tokens).toBeGreaterThan(1_000)
      expect(tokens).toBeLessThan(400_000)
    },
  )

  it('grows with the text', () => {
    const counts = sentences.map((_, end) => estimateTokens(sentences.slice(0, end + 1).join(' ')))
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBe(sentences.length)
  })

  it('is about the sum of its lines', () => {
    const whole = estimateTokens(sentences.join('\n'))
    const parts = sentences.reduce((sum, sentence) => sum + estimateTokens(`${sentence}\n`), 0)
    expect(Math.abs(whole - parts)).toBeLessThanOrEqual(sentences.length)
  })
})

describe('estimateTokens compared with o200k_base', () => {
  it.each([
    ['tool definitions as JSON', () => tools.map((tool) => JSON.stringify(tool)), 0.04],
    ['tool definitions, indented', () => tools.map((tool) => JSON.stringify(tool, null, 2)), 0.05],
    ['English sentences', () => sentences, 0.04],
    ['tool names', () => names, 0.1],
    ['code', () => code, 0.12],
    ['Chinese', () => [chinese], 0.12],
    ['Japanese', () => [japanese], 0.12],
    ['Korean', () => [korean], 0.12],
    ['Russian', () => [russian], 0.12],
    ['Arabic', () => [arabic], 0.15],
    ['Hindi', () => [hindi], 0.12],
  ])('is close for the sum of %s', (_, texts, bound) => {
    expect(Math.abs(relativeError(texts()))).toBeLessThan(bound)
  })

  it('is close for each tool definition, not only for their sum', () => {
    for (const tool of tools) {
      expect(Math.abs(relativeError([JSON.stringify(tool)]))).toBeLessThan(0.08)
    }
  })

  it('is close for tool definitions in each script', () => {
    for (const description of [chinese, japanese, korean, russian, arabic, hindi]) {
      const tool = { ...tools[0], description }
      expect(Math.abs(relativeError([JSON.stringify(tool)]))).toBeLessThan(0.12)
    }
  })
})

function relativeError(texts: readonly string[]): number {
  const sum = (count: CountTokens) => texts.reduce((total, text) => total + count(text), 0)
  return sum(estimateTokens) / sum(countTokens) - 1
}

const tools = [
  {
    name: 'mcp__tracker__create_issue',
    description:
      'Create a new issue in a project. Returns the issue number and its web address. ' +
      'Use search_issues first to avoid filing a duplicate.',
    inputSchema: {
      type: 'object',
      properties: {
        project: { type: 'string', description: 'Project key, e.g. "WEB"' },
        title: { type: 'string', description: 'One line that says what is wrong', maxLength: 200 },
        body: { type: 'string', description: 'Markdown text. Steps to reproduce go here.' },
        labels: { type: 'array', items: { type: 'string' }, default: [] },
        priority: { type: 'string', enum: ['low', 'medium', 'high', 'urgent'] },
        assignee_id: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
      },
      required: ['project', 'title'],
      additionalProperties: false,
    },
  },
  {
    name: 'getExchangeRate',
    description:
      'Looks up the exchange rate between two currencies on a given day.\n\nArgs:\n' +
      '    base: three-letter code\n    quote: three-letter code\n    date: YYYY-MM-DD (optional)',
    inputSchema: {
      type: 'object',
      properties: {
        base: { type: 'string', pattern: '^[A-Z]{3}$' },
        quote: { type: 'string', pattern: '^[A-Z]{3}$' },
        date: { type: 'string', format: 'date', description: 'Defaults to the latest rate.' },
      },
      required: ['base', 'quote'],
      $schema: 'http://json-schema.org/draft-07/schema#',
    },
  },
  {
    name: 'resize-image',
    description: 'Resize, crop or convert an image file (PNG, JPEG, WebP) without losing quality.',
    inputSchema: {
      type: 'object',
      properties: {
        inputPath: { type: 'string', description: 'Absolute path of the image to read' },
        outputPath: { type: 'string', description: 'Where to write the result' },
        width: { type: 'integer', minimum: 1, maximum: 10000 },
        height: { type: 'integer', minimum: 1, maximum: 10000 },
        fit: { type: 'string', enum: ['cover', 'contain', 'fill'], default: 'cover' },
      },
      required: ['inputPath', 'outputPath'],
    },
  },
  {
    name: 'list_tables',
    description: 'List the tables of the connected database, with row counts.',
    inputSchema: { type: 'object', properties: {} },
  },
]

const sentences = [
  'Send a message to a channel, or to a person if you pass their email address.',
  'Which of our customers in Norway have not paid their invoice for March?',
  "I'm looking for a restaurant that's open late, doesn't need a reservation and takes cards.",
  'Returns up to 50 results per page; pass the cursor from the last answer to read on.',
  'Restart the staging server, wait until it is healthy, and then run the nightly tests again.',
  'The temperature is given in degrees Celsius unless "units" is set to imperial.',
]

const names = [
  'read_file',
  'search_code',
  'listPullRequests',
  'update-calendar-event',
  'mcp__github__add_issue_comment',
  'mcp__filesystem__directory_tree',
  'mcp__postgres__explain_query',
  'mcp__figma__export_node_as_svg',
  'convertCurrency',
  'kubernetes_pod_logs',
  'sendSlackMessage',
  'get_weather_forecast',
  'transcribeAudio',
  'validate-iban',
  'browser_take_screenshot',
  'unsubscribe_webhook',
  'calculateMortgagePayment',
  'fetchSECFilings',
]

const code = [
  'export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {\n' +
    '  const groups = new Map<string, T[]>()\n  for (const item of items) {\n' +
    '    const key = keyOf(item)\n    const group = groups.get(key)\n' +
    '    if (group === undefined) groups.set(key, [item])\n    else group.push(item)\n' +
    '  }\n  return groups\n}\n',
  'def read_config(path: str) -> dict:\n    """Read settings from a TOML file."""\n' +
    '    with open(path, "rb") as file:\n        config = tomllib.load(file)\n' +
    '    if "server" not in config:\n        raise ValueError(f"no [server] section in {path}")\n' +
    '    return {**DEFAULTS, **config}\n',
  'SELECT customer.name, COUNT(*) AS orders FROM customer JOIN "order" ON "order".customer_id = ' +
    'customer.id WHERE "order".created_at > \'2024-01-01\' GROUP BY customer.name LIMIT 10;',
]

const chinese =
  '在项目中创建一个新的任务，并分配给指定的成员。如果标题已经存在，则返回现有任务的编号。' +
  '上传图片之后，系统会自动生成缩略图，原始文件保留九十天。请在调用之前检查网络连接是否正常。' +
  '把医院的预约改到下周三上午，并通知护士长。该接口按汇率折算金额，四舍五入到小数点后两位。'
const japanese =
  'プロジェクトに新しいタスクを作成し、担当者を割り当てます。同じ名前のタスクがすでにある場合は、' +
  'その番号を返します。画像をアップロードすると、小さな画像が自動的に作られます。' +
  '病院の予約を来週の水曜日の午前に変更し、看護師に知らせてください。' +
  '金額は為替レートで換算され、小数第二位に丸められます。'
const korean =
  '프로젝트에 새 작업을 만들고 담당자를 지정합니다. 같은 이름의 작업이 이미 있으면 그 번호를 반환합니다. ' +
  '호출하기 전에 네트워크 연결 상태를 확인하세요. 병원 예약을 다음 주 수요일 오전으로 옮기고 간호사에게 ' +
  '알려 주세요. 금액은 환율에 따라 환산되어 소수점 둘째 자리에서 반올림됩니다.'
const russian =
  'Создает новую задачу в проекте и назначает исполнителя. Если задача с таким названием уже есть, ' +
  'возвращает ее номер. Перед вызовом проверьте подключение к сети. Перенесите приём в больнице на ' +
  'утро следующей среды и предупредите медсестру. Сумма пересчитывается по курсу и округляется до копеек.'
const arabic =
  'ينشئ مهمة جديدة في المشروع ويسندها إلى أحد الأعضاء. إذا كانت هناك مهمة بنفس العنوان فسيعاد رقمها. ' +
  'تحقق من الاتصال بالشبكة قبل استدعاء هذه الأداة. انقل موعد المستشفى إلى صباح الأربعاء القادم وأخبر ' +
  'الممرضة. يحسب المبلغ وفق سعر الصرف ويقرب إلى منزلتين عشريتين.'
const hindi =
  'परियोजना में एक नया कार्य बनाता है और उसे किसी सदस्य को सौंपता है। यदि इसी नाम का कार्य पहले से है, ' +
  'तो उसकी संख्या लौटाता है। बुलाने से पहले नेटवर्क की जाँच करें। अस्पताल की मुलाक़ात अगले बुधवार की ' +
  'सुबह कर दीजिए और नर्स को सूचित कीजिए। राशि विनिमय दर से बदली जाती है और दो दशमलव तक रखी जाती है।'
