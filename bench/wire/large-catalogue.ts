import { fileURLToPath } from 'node:url'
import type { ToolDefinition } from 'toolsearch'
import { demoCatalogue } from '../../examples/catalogue/demo-catalogue.ts'
import { readLines } from '../read-data.ts'
import { wireCatalogue } from './catalogue/wire-catalogue.ts'

interface OwnSetTool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
}

/** A second connection of a server: what it is called, and what sets it apart. */
interface Instance {
  readonly of: string
  readonly name: string
  readonly note: string
}

const SIZE = 500

// servers of the own set that are called like one of the examples go by their product's name
const OWN_SET_NAMES: Readonly<Record<string, string>> = {
  chat: 'palaver',
  mail: 'inkwell',
  calendar: 'dayline',
  payments: 'checkout-pages',
}

const INSTANCES: readonly Instance[] = [
  {
    of: 'database',
    name: 'database-reporting',
    note:
      'Works on the reporting copy, which lags up to a minute behind and is refreshed every ' +
      'night.',
  },
  {
    of: 'files',
    name: 'files-legal',
    note: 'Works on the drive of the legal department, where each access is recorded.',
  },
  {
    of: 'tickets',
    name: 'tickets-facilities',
    note: 'Works on the tracker of facilities management: desks, badges, rooms and repairs.',
  },
  {
    of: 'payments',
    name: 'payments-uk',
    note: 'Works on the British account: amounts are in pounds and payouts take a day longer.',
  },
  {
    of: 'cluster',
    name: 'cluster-frankfurt',
    note: 'Works on the cluster in Frankfurt, which serves customers in Europe.',
  },
  {
    of: 'buckets',
    name: 'buckets-archive',
    note: 'Works on cold storage in the archive account, where reading an object can take hours.',
  },
  {
    of: 'ci',
    name: 'ci-mobile',
    note: 'Works on the build farm for the mobile apps, with its own runners and signing keys.',
  },
  {
    of: 'flags',
    name: 'flags-mobile',
    note: 'Works on the flags of the mobile apps, which clients fetch once a day.',
  },
]

/**
 * 500 tools: the 58 of the wire catalogue, the MCP servers of the examples, the own set of the
 * evaluation, and, for the rest, second connections of some of those servers to other accounts and
 * regions, as organisations have them. Such a tool has the schema of its original, a name of its
 * own, and a description that says where it works.
 */
export function largeCatalogue(): readonly ToolDefinition[] {
  const examples = demoCatalogue.filter(({ source }) => source !== 'builtin')
  const collected = [...examples, ...readOwnSet()]
  const instances = INSTANCES.flatMap((instance) => connectAgain(instance, collected))
  return [...wireCatalogue, ...collected, ...instances].slice(0, SIZE)
}

function readOwnSet(): ToolDefinition[] {
  const folder = fileURLToPath(new URL('../evaluation/own-set', import.meta.url))
  const tools = ['part-1', 'part-2'].flatMap((part) =>
    readLines<OwnSetTool>(`${folder}/${part}/tools.jsonl`),
  )
  return tools.map(({ name, description, parameters }) => {
    const { server, tool } = splitName(name)
    // some providers refuse a dot in a name, and then everything sent with it
    return mcpTool(OWN_SET_NAMES[server] ?? server, tool.replaceAll('.', '_'), {
      description,
      inputSchema: parameters,
    })
  })
}

function connectAgain(
  { of, name, note }: Instance,
  tools: readonly ToolDefinition[],
): ToolDefinition[] {
  return tools
    .filter((original) => original.source === `mcp:${of}`)
    .map((original) =>
      mcpTool(name, splitName(original.name).tool, {
        ...original,
        description: `${original.description} ${note}`,
      }),
    )
}

function mcpTool(
  server: string,
  tool: string,
  definition: Omit<ToolDefinition, 'name' | 'source'>,
): ToolDefinition {
  return { ...definition, name: `mcp__${server}__${tool}`, source: `mcp:${server}` }
}

function splitName(name: string): { server: string; tool: string } {
  const [, server = '', ...rest] = name.split('__')
  return { server, tool: rest.join('__') }
}
