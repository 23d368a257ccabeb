// Measures how fast the search lab follows the keyboard: npm run bench -- inspector
import { parseArgs } from 'node:util'
import { progress, runCommand, writeResults } from '../../../bench/bench-command.ts'
import { type Machine, measuredOn, thisMachine } from '../../../bench/machine.ts'
import { quantile } from '../../../bench/statistics.ts'
import { markdownTable } from '../../../bench/table.ts'
import { buildPage } from '../tests/build-page.ts'
import { launchChromium } from '../tests/chromium.ts'
import { startInspector } from '../tests/inspector.fixtures.ts'
import { installProbe, type Keystroke, measureTyping } from './measure-typing.ts'

const HELP = `Measure how fast the search lab follows the keyboard, in Chromium, with a real gateway.

  npm run bench -- inspector [--tools N] [--write] [--json]

  --tools N  number of tools (default: 10000)
  --write    save the report in bench/results/inspector.json and inspector.md
  --json     print JSON instead of a table
  --help     print this text

Types queries one key at a time and measures, for every key, the time until the answer of the
gateway is complete, until the page has rendered it, and until the first frame that shows it is
painted. An answer arrives at any time within a frame of 16.7 ms, so the best possible median from
the answer to its paint is half a frame.`

const queries = [
  'list the orders of a customer',
  'approve the refund',
  'export all invoices',
  'assign a supplier to a shipment',
  'delete coupon 4711',
  'who archived the basket',
]

interface Report {
  readonly date: string
  readonly machine: Machine
  readonly tools: number
  readonly keystrokes: number
  readonly milliseconds: Readonly<Record<string, Readonly<Record<'p50' | 'p95' | 'most', number>>>>
  /** The fraction of answers that the next frame shows. */
  readonly inNextFrame: number
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      tools: { type: 'string', default: '10000' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const machine = thisMachine()
  const tools = Number(options.tools)
  const report = reportOf(await measure(tools), tools, machine)
  if (options.write) writeResults('inspector', report, print(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : print(report))
}

async function measure(tools: number): Promise<Keystroke[]> {
  progress('building the page')
  await buildPage()
  progress(`starting a gateway with ${tools} tools`)
  const [inspector, browser] = await Promise.all([startInspector({ tools }), launchChromium()])
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await installProbe(page)
    await page.goto(`${inspector.page}#/search`)
    await page.locator('#query:focus').waitFor()
    progress('typing')
    // The first queries warm up the gateway and the browser.
    await measureTyping(page, queries.slice(0, 1))
    return await measureTyping(page, queries)
  } finally {
    await Promise.all([browser.close(), inspector.end()])
  }
}

function reportOf(strokes: readonly Keystroke[], tools: number, machine: Machine): Report {
  const figures = (values: readonly number[]) => ({
    p50: round(quantile(values, 0.5)),
    p95: round(quantile(values, 0.95)),
    most: round(Math.max(...values)),
  })
  return {
    date: new Date().toISOString(),
    machine,
    tools,
    keystrokes: strokes.length,
    milliseconds: {
      'keystroke → answer': figures(strokes.map(({ toAnswer }) => toAnswer)),
      'answer → rendered': figures(strokes.map(({ toRender }) => toRender)),
      'answer → paint': figures(strokes.map(({ toPaint }) => toPaint)),
      'keystroke → paint': figures(strokes.map(({ toAnswer, toPaint }) => toAnswer + toPaint)),
    },
    inNextFrame: strokes.filter(({ frames }) => frames <= 1).length / strokes.length,
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

function print({ date, machine, tools, keystrokes, milliseconds, inNextFrame }: Report): string {
  const rows = Object.entries(milliseconds).map(([name, { p50, p95, most }]) => [
    name,
    `${p50} ms`,
    `${p95} ms`,
    `${most} ms`,
  ])
  return [
    '# Search lab: keystroke to paint',
    '',
    ...measuredOn(date, machine),
    '',
    ...markdownTable(['', 'p50', 'p95', 'slowest'], rows),
    '',
    `${keystrokes} keystrokes, ${tools.toLocaleString('en-GB')} tools. ` +
      `The next frame showed ${(inNextFrame * 100).toFixed(0)}% of the answers.`,
  ].join('\n')
}

await runCommand(main)
