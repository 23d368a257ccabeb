import { estimateTokens } from 'toolsearch'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { oneLine } from './one-line.ts'
import { toolTopics } from './tool-topics.ts'

/** One server, as the texts for the model describe it. */
interface DirectoryEntry {
  readonly name: string
  /** 0 if its tools are not known yet. */
  readonly tools: number
  /** From the configuration. */
  readonly description: string | undefined
  /** What its tools are about, most important first. */
  readonly topics: readonly string[]
}

const MAX_TOKENS = 400
const MAX_NAME_TOKENS = 120
const MAX_NAME = 60
const MAX_DESCRIPTION = 120
/** So many tools show what a server is about. */
const MAX_READ = 500
/** What is said about each server, from much to little. */
const LEVELS = [
  { topics: 5, counts: true },
  { topics: 3, counts: true },
  { topics: 2, counts: false },
  { topics: 1, counts: false },
]

/**
 * Names the servers, how many tools each has and what they are about, so that a model knows what it
 * can search for. Many servers are described in fewer words, down to the names that fit.
 *
 * @param toolsOf the tools of a server that agents can find
 */
export function serverDirectory(
  servers: readonly ServerConfig[],
  toolsOf: (server: string) => readonly McpTool[],
): string {
  const entries = servers
    .filter(({ disabled }) => !disabled)
    .map((server) => entryFor(server, toolsOf(server.name)))
  const texts = LEVELS.map((level) => join(entries.map((entry) => line(entry, level))))
  const fitting = texts.find((text) => estimateTokens(text) <= MAX_TOKENS)
  return fitting ?? firstNames(servers, MAX_TOKENS)
}

/** The names of the servers, as far as they fit. */
export function serverNames(servers: readonly ServerConfig[]): string {
  return firstNames(servers, MAX_NAME_TOKENS)
}

function entryFor({ name, description }: ServerConfig, tools: readonly McpTool[]): DirectoryEntry {
  return {
    name: oneLine(name, MAX_NAME),
    tools: tools.length,
    description,
    topics: toolTopics(tools.slice(0, MAX_READ), name),
  }
}

function line(
  { name, tools, description, topics }: DirectoryEntry,
  level: { topics: number; counts: boolean },
): string {
  const count = tools > 0 && level.counts && `${tools} ${tools === 1 ? 'tool' : 'tools'}`
  const about =
    description === undefined
      ? // Servers choose the words: in this order, they make no sentence.
        topics.slice(0, level.topics).sort().join(', ')
      : oneLine(description, MAX_DESCRIPTION * (level.topics / LEVELS[0]!.topics))
  const details = [count, about].filter(Boolean).join(': ')
  return details === '' ? name : `${name} (${details})`
}

function firstNames(servers: readonly ServerConfig[], maxTokens: number): string {
  const names = servers
    .filter(({ disabled }) => !disabled)
    .map(({ name }) => oneLine(name, MAX_NAME))
  let shown = names.length
  let text = join(names)
  while (estimateTokens(text) > maxTokens && shown > 0) {
    shown = Math.floor(shown * 0.9)
    const rest = names.length - shown
    text = `${join(names.slice(0, shown))} and ${rest} more ${rest === 1 ? 'server' : 'servers'}`
  }
  return text
}

function join(parts: readonly string[]): string {
  return parts.join('; ')
}
