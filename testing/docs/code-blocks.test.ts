import { expect, it } from 'vitest'
import { loadCedarModule } from '../../packages/gateway/src/access/cedar/cedar-module.ts'
import { readPolicies } from '../../packages/gateway/src/access/cedar/read-policies.ts'
import { createAccess } from '../../packages/gateway/src/access/create-access.ts'
import { formatProblem } from '../../packages/gateway/src/config/config-problem.ts'
import { readConfig } from '../../packages/gateway/src/config/read-config.ts'
import { LOCAL_PERSON } from '../../packages/gateway/src/identity/person.ts'
import { planOffer } from '../../packages/gateway/src/offering/offer-plan.ts'
import { findSetupProblems } from '../../packages/gateway/src/offering/setup-problems.ts'
import { fillCodeBlocks, readCodeBlocks } from './code-blocks.ts'
import { listPages, listSamples, read } from './pages.ts'

const pages = listPages()
const blocks = pages.flatMap((page) =>
  readCodeBlocks(read(page)).map((block) => ({ ...block, page })),
)

it.each(pages)('%s has only code blocks that are tested', (page) => {
  const text = read(page)
  expect(readCodeBlocks(text)).toHaveLength((text.match(/^ *```/gm) ?? []).length / 2)
  const untested = readCodeBlocks(text)
    // Shell blocks are tested by shell-commands.test.ts.
    .filter(({ language, sample }) => language !== 'sh' && sample === undefined)
    .map(({ line, language }) => `${page}:${line} ${language}`)
  expect(untested, 'Put the code into docs/samples and name it above the block.').toEqual([])
})

it.each(pages)('%s shows its samples unchanged', (page) => {
  expect(read(page), 'Run npm run docs -- write.').toBe(fillCodeBlocks(read(page), read))
})

it('shows every TypeScript sample on a page', () => {
  const shown = blocks.map(({ sample }) => sample)
  const programs = listSamples().filter((file) => file.endsWith('.ts'))
  expect(programs.filter((file) => !shown.includes(file))).toEqual([])
})

it('leaves nothing out of a TypeScript sample', () => {
  const programs = listSamples().filter((file) => file.endsWith('.ts'))
  expect(programs.filter((file) => read(file).includes('…'))).toEqual([])
})

it.each(
  listSamples().filter(
    // client.json is for a client: its only server is the gateway.
    (file) => /gateway.*\.jsonc?$/.test(file) && !/unknown-key|client\.json$/.test(file),
  ),
)('%s is a valid gateway configuration', (file) => {
  const env = {
    HOME: '/home/me',
    GITHUB_TOKEN: 'a',
    CRM_SECRET: 'b',
    REPORTS_SECRET: 'c',
    TOOLSEARCH_TOKEN: 'd',
    POSTGRES_URL: 'postgres://127.0.0.1:5432/toolsearch',
    WEATHER_KEY: 'e',
    EXCHANGE_SECRET: 'f',
    OLD_KEY: '0'.repeat(64),
    NEW_KEY: '1'.repeat(64),
    REDIS_URL: 'redis://cache',
    DATABASE_URL: 'postgres://database/toolsearch',
    ENCRYPTION_KEY: 'e'.repeat(64),
    CLIENT_SECRET: 's',
    CHAT_SECRET: 's',
  }
  expect(readConfig(read(file), { file, env })).toHaveProperty('config')
})

it('shows the message for an unknown key of the configuration', () => {
  const folder = 'docs/samples/gateway-config/'
  const result = readConfig(read(`${folder}unknown-key.json`), { file: 'servers.json', env: {} })
  const [first] = 'problems' in result ? result.problems : []
  expect(`${formatProblem(first!)}\n`).toBe(read(`${folder}unknown-key.txt`))
})

it('shows the message for a rule that matches no tool', () => {
  const folder = 'docs/samples/gateway-config/'
  const result = readConfig(read(`${folder}unmatched-rule.json`), { file: 'servers.json', env: {} })
  if ('problems' in result) throw new Error('The sample must be valid.')
  const tools = [{ name: 'get_balance' }, { name: 'transfer_money' }]
  const plan = planOffer(result.config)
  const [problem] = findSetupProblems(result.config, plan, new Map([['bank', tools]]))
  expect(`! ${problem?.message}\n`).toBe(read(`${folder}unmatched-rule.txt`))
})

it('shows valid Cedar policies', async () => {
  const file = 'docs/samples/gateway-access/team.cedar'
  const policies = readPolicies(await loadCedarModule(), [{ file, text: read(file) }])
  expect(policies).toHaveProperty('policies')
})

it('shows the reason of a decision', () => {
  const folder = 'docs/samples/gateway-access/'
  const result = readConfig(read(`${folder}rules.jsonc`), { file: 'servers.json', env: {} })
  if ('problems' in result) throw new Error('The sample must be valid.')
  const person = { ...LOCAL_PERSON, groups: ['support'] }
  const tool = { server: 'jira', name: 'create_issue', annotations: {} }
  const { reason } = createAccess(result.config).rightsOf({ person }).call(tool, { project: 'HR' })
  expect(`jira/create_issue  not allowed  ${reason}\n`).toBe(read(`${folder}explained.txt`))
})

it('finds blocks, their language, their line and the file they show', () => {
  const page = 'Text\n\n<!-- a/b.ts -->\n```ts\nold\n```\n\n```sh\nnpm ci\n```\n'
  expect(readCodeBlocks(page)).toEqual([
    { line: 4, language: 'ts', text: 'old\n', sample: 'a/b.ts' },
    { line: 8, language: 'sh', text: 'npm ci\n', sample: undefined },
  ])
  expect(fillCodeBlocks(page, () => "const price = '$1'\n")).toBe(
    page.replace('old', () => "const price = '$1'"),
  )
})
