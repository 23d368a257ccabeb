import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A published MCP server: where its package comes from and how `collect.ts` starts it. */
export interface PublishedServer {
  /** The name a client gives the server, and the name of its `.jsonl` file. */
  readonly name: string
  /** The npm package. */
  readonly package: string
  /** The exact version. */
  readonly version: string
  /** The SPDX identifier of the licence that allows us to keep the definitions here. */
  readonly licence: string
  /** The copyright line of the package's licence, or its author if the package has no such line. */
  readonly copyright: string
  /** The command of the package, if it has several. */
  readonly bin?: string
  /** Arguments. `{folder}` stands for an empty folder. */
  readonly args?: readonly string[]
  /** JSON files that the server expects in that folder. */
  readonly files?: Readonly<Record<string, unknown>>
  /** Environment variables, also with `{folder}`. The values are made up: listing tools needs no account. */
  readonly env?: Readonly<Record<string, string>>
}

/** The servers of `servers.json`, in the order in which the catalogue has them. */
export function publishedServers(): readonly PublishedServer[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'servers.json'), 'utf8'))
}
