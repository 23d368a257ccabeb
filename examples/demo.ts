import { styleText } from 'node:util'
import { createToolSearch, type SavingsReport, type Session, type Turn } from 'toolsearch'
import { myTools } from './my-tools.ts'
import { type Call, scriptedModel } from './scripted-model.ts'

const HELP = `Usage: npm run demo

Show what a catalogue of tools costs with and without toolsearch, then play a conversation in which
a model searches for, loads and calls tools. Needs no network and no API key.`

const paint = (style: 'bold' | 'dim' | 'green' | 'cyan', text: string) =>
  process.stdout.isTTY ? styleText(style, text) : text
const say = (text = '') => process.stdout.write(`${text}\n`)
const number = (value: number) => value.toLocaleString('en-US').padStart(7)

if (process.argv.includes('--help') || process.argv.includes('-h')) say(HELP)
else await demo()

async function demo(): Promise<void> {
  const toolSearch = createToolSearch({ tools: myTools })
  const session = await toolSearch.session('demo')
  const first = await session.turn()
  showCosts(session.report(first), first)
  await playConversation(session)
  await showMore(session)
}

function showCosts(report: SavingsReport, { tools, hidden }: Turn): void {
  say(paint('bold', 'Tool definitions per request (estimated tokens)'))
  say()
  const most = report.sources[0]!.tokens
  for (const { source, tools: count, tokens } of report.sources) {
    const bar = '█'.repeat(Math.ceil((tokens / most) * 30))
    say(`  ${source.padEnd(18)} ${String(count).padStart(2)} tools ${number(tokens)}  ${bar}`)
  }
  say()
  say(`  all tools up front      ${number(report.eager)}`)
  say(
    `  with toolsearch         ${number(report.sent)}   ${tools.length} tools sent, ${hidden} available through search`,
  )
  say(
    `  ${paint('green', `saved per request       ${number(report.saved)}   ${(report.savedShare * 100).toFixed(0)} %`)}`,
  )
  say()
}

async function playConversation(session: Session): Promise<void> {
  say(paint('bold', 'A conversation'))
  say()
  say('  user   Dana Reyes was charged twice for pay_7. Refund one payment and tell #billing.')
  const refund = 'mcp__payments__refund_payment'
  const post = 'mcp__chat__send_message'
  const search = (query: string): Call => ({ name: 'tool_search', arguments: { query } })
  const model = scriptedModel([
    { text: '', calls: [search('refund payment')] },
    { text: '', calls: [{ name: refund, arguments: { payment_id: 'pay_7' } }] },
    {
      text: '',
      calls: [{ name: refund, arguments: { payment_id: 'pay_7', reason: 'duplicate' } }],
    },
    { text: '', calls: [search('+chat post message')] },
    {
      text: '',
      calls: [
        { name: post, arguments: { to: { channel: '#billing' }, text: 'pay_7 is refunded.' } },
      ],
    },
    { text: 'I refunded pay_7 and told #billing.', calls: [] },
  ])

  for (let step = 1; step <= 10; step++) {
    const turn = await session.turn()
    const { sent } = session.report(turn)
    say(
      paint(
        'dim',
        `  step ${step}: ${turn.tools.length} tools in the request, ${sent.toLocaleString('en-US')} tokens`,
      ),
    )
    const reply = await model({ system: turn.system, tools: turn.tools, messages: [] })
    if (reply.calls.length === 0) {
      say(`  model  ${reply.text}`)
      say()
      return
    }
    for (const call of reply.calls) await showCall(session, call)
  }
  throw new Error('The conversation did not end.')
}

async function showCall(session: Session, call: Call): Promise<void> {
  say(`  model  ${paint('cyan', call.name)} ${JSON.stringify(call.arguments)}`)
  const result = await session.answer(call)
  if (result.kind === 'run') say('  tool   executed')
  else say(`  ${result.isError ? 'error ' : 'search'} ${summary(result.data)}`)
}

function summary(data: unknown): string {
  const { loaded, error, problems, message, close } = data as {
    loaded?: { name: string }[]
    error?: string
    problems?: string[]
    message?: string
    close?: string[]
  }
  const text = error ? `${error} (${problems?.join('; ')})` : (message ?? '')
  const names = loaded?.map((tool) => tool.name) ?? close ?? []
  return [text, ...names.map((name) => `         ${name}`)].join('\n')
}

async function showMore(session: Session): Promise<void> {
  say(paint('bold', 'Other queries'))
  say()
  for (const query of [
    'select:mcp__mail__send_mail,mcp__mail__make_draft',
    'refund payment',
    'bake a chocolate cake',
  ]) {
    await showCall(session, { name: 'tool_search', arguments: { query } })
  }
  say()
  say('  To use toolsearch in your own agent, see README.md.')
}
