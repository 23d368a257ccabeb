import type { ToolDefinition } from 'toolsearch'
import { myTools } from '../../examples/my-tools.ts'
import { ownTools } from '../evaluation/evaluation-set.ts'
import { onCallTools } from './on-call-tools.ts'

/** A second connection to a server, for another account or region. */
interface Instance {
  readonly of: string
  readonly name: string
  readonly note: string
}

const SIZE = 500

// Servers of the evaluation that share a name with a server of the examples get a product name.
const RENAMED: Readonly<Record<string, string>> = {
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
 * 500 tools: the tools of the team on call, the MCP servers of the examples, those of the
 * evaluation, and second connections to some of them. A tool of a second connection has the schema
 * of the original and a description that says which account or region it works on.
 */
export function largeCatalogue(): readonly ToolDefinition[] {
  const examples = myTools.filter(({ source }) => source !== 'builtin')
  const collected = [...examples, ...ownTools(RENAMED).map(withoutDots)]
  const instances = INSTANCES.flatMap((instance) => connectAgain(instance, collected))
  return [...onCallTools, ...collected, ...instances].slice(0, SIZE)
}

/** Some providers reject a request if the name of a tool contains a dot. */
function withoutDots(tool: ToolDefinition): ToolDefinition {
  return { ...tool, name: tool.name.replaceAll('.', '_') }
}

function connectAgain(
  { of, name, note }: Instance,
  tools: readonly ToolDefinition[],
): ToolDefinition[] {
  return tools
    .filter(({ source }) => source === `mcp:${of}`)
    .map((original) => ({
      ...original,
      name: original.name.replace(/^mcp__.+?__/, `mcp__${name}__`),
      source: `mcp:${name}`,
      description: `${original.description} ${note}`,
    }))
}
