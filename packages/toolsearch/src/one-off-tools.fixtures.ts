// A script that one-off-tools.test.ts bundles and runs with --expose-gc. Prints the sizes of the heap as JSON,
// for each way to use one-off tools.
import { aiSdk } from './frameworks/ai-sdk/index.ts'
import { createMemoryStore, createToolSearch, type Session, type ToolDefinition } from './index.ts'
import { createRemoteVectors, functionEmbedder, hybridRanker } from './rankers.ts'

const [warmUp, total] = process.argv.slice(2)
// an embedder that is down: no vector ever arrives
const vectors = createRemoteVectors({
  embedder: functionEmbedder(() => Promise.reject(new Error('down')), {
    id: 'down',
    dimensions: 4,
  }),
  maxKept: 10,
})
const create = (kind: string) =>
  createToolSearch({
    tools: oneOffTools(0),
    activation: 'always',
    // records of ended conversations are not what this measures
    store: createMemoryStore({ maxSessions: 10 }),
    ...(kind === 'embedder' && { ranker: () => hybridRanker({ vectors }) }),
  })
let toolSearch = create('')
const kept: Session[] = []

const uses: Record<string, (at: number) => Promise<unknown>> = {
  async tools(at) {
    const session = await toolSearch.session(`s${at}`, { tools: oneOffTools(at) })
    await session.turn()
    return session.search({ query: `customer ${at} report` })
  },
  embedder: (at) => uses.tools!(at),
  async withTools(at) {
    const session = (await toolSearch.session(`s${at}`)).withTools(oneOffTools(at))
    await session.turn()
    return session.search({ query: `customer ${at} report` })
  },
  async aiSdk(at) {
    const definitions = oneOffTools(at).map(({ name, ...tool }) => [name, tool] as const)
    const tools = Object.fromEntries(
      definitions.map(([name, { description, inputSchema }]) => [
        name,
        { description, inputSchema: { jsonSchema: inputSchema } },
      ]),
    )
    const { prepareStep, tools: guarded } = aiSdk(await toolSearch.session(`s${at}`), { tools })
    await prepareStep({
      model: { doGenerate() {} },
      stepNumber: 0,
      steps: [],
      messages: [],
      initialInstructions: undefined,
    })
    const { execute } = guarded.tool_search as unknown as { execute(input: unknown): unknown }
    return execute({ query: `customer ${at} report` })
  },
  // the program keeps the closed sessions
  async closed(at) {
    const session = await toolSearch.session(`s${at}`, { tools: oneOffTools(at) })
    await session.search({ query: `customer ${at} report` })
    session.close()
    kept.push(session)
  },
}

function oneOffTools(at: number): ToolDefinition[] {
  return Array.from({ length: 10 }, (_, number) => ({
    name: `tool_${at % 10}_${number}`,
    description: `Prints report ${number} of customer ${at % 10}`,
    inputSchema: { type: 'object', properties: { [`key_${at % 10}`]: { type: 'string' } } },
    metadata: { details: new Array(5_000).fill(at) },
  }))
}

async function run(kind: string, from: number, to: number): Promise<number> {
  for (let at = from; at < to; at++) await uses[kind]!(at)
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}

const measured: Record<string, object> = {}
for (const kind of Object.keys(uses)) {
  toolSearch = create(kind)
  const { version } = toolSearch.catalogue
  const before = await run(kind, 1, Number(warmUp))
  const after = await run(kind, Number(warmUp), Number(total))
  const { size } = toolSearch.catalogue
  const isUnchanged = toolSearch.catalogue.version === version
  measured[kind] = { grown: after - before, size, isUnchanged }
}
console.log(JSON.stringify(measured))
