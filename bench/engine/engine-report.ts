import type { Machine } from '../machine.ts'

/** The parts can be measured on different days. */
export interface EngineReport {
  readonly recall?: Measured & { readonly candidates: number; readonly rows: readonly RecallRow[] }
  readonly scale?: Measured & ScaleFigures
}

export interface Measured {
  readonly date: string
  readonly machine: Machine
  readonly postgres: string
}

/** R@5 on one set, in memory and over an engine. */
export interface RecallRow {
  readonly set: string
  readonly ranker: 'fielded' | 'hybrid'
  readonly engine: 'PostgreSQL' | 'PGlite with pgvector'
  readonly tools: number
  readonly queries: number
  readonly inMemory: number
  readonly overEngine: number
  /** The share of queries with the same five tools in the same order. */
  readonly same: number
  readonly p50Ms: number
}

/** A generated marketplace. */
export interface ScaleFigures {
  readonly tools: number
  readonly sources: number
  readonly buildSeconds: number
  readonly databaseGigabytes: number
  /** Adding one tool, and replacing all tools of a server. */
  readonly addMs: Times
  readonly syncMs: Times
  readonly search: readonly SearchFigures[]
  /** Of a fresh process that has run the searches. */
  readonly replica: {
    readonly emptyMegabytes: number
    readonly rssMegabytes: number
    readonly heapMegabytes: number
  }
}

export interface Times {
  readonly p50: number
  readonly p99: number
}

export interface SearchFigures {
  readonly kind: string
  readonly queries: number
  readonly ms: Times
  /** The share of queries whose first result is the expected one, if there is one. */
  readonly found?: number
}
