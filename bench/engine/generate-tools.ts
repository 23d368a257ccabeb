import type { ToolDefinition } from 'toolsearch'
import { seededRandom } from '../../packages/toolsearch/src/evaluation/seeded-random.ts'

/** A marketplace: invented products with the tools of published servers. */
export interface Marketplace {
  /** The tools of one server after another, as often as needed. */
  tools(from: number, to: number): ToolDefinition[]
  /** The name of the product that a tool belongs to. */
  productOf(at: number): string
}

const STARTS = 'b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sh st t tr v w z'.split(' ')
const VOWELS = 'a e i o u ai ea io oo ou'.split(' ')
const ENDS = 'l m n r s x nd rk lt ly zo via'.split(' ')
const FIELDS =
  'bakeries hospitals schools airlines farms museums banks hotels studios courts ports mines labs gyms forests theatres'.split(
    ' ',
  )

/** @param samples real tools, whose words and lengths the generated ones have */
export function createMarketplace(samples: readonly ToolDefinition[]): Marketplace {
  return {
    tools: (from, to) => Array.from({ length: to - from }, (_, at) => generate(from + at)),
    productOf,
  }

  function generate(at: number): ToolDefinition {
    const sample = samples[at % samples.length]!
    const product = productOf(at)
    const server = product.toLowerCase()
    const local = sample.name.replace(/^mcp__.+?__/, '')
    const field = FIELDS[Math.floor(at / samples.length) % FIELDS.length]!
    return {
      ...sample,
      name: `mcp__${server}__${local}`.slice(0, 128),
      source: `mcp:${server}`,
      description: `${sample.description} For ${field} that use ${product}.`,
    }
  }

  // Each round through the samples is one product per sample server, about 30 tools.
  function productOf(at: number): string {
    const sample = samples[at % samples.length]!
    const round = Math.floor(at / samples.length)
    const server = sample.source ?? 'builtin'
    const random = seededRandom(round * 7_919 + hash(server))
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
    const syllables = Array.from({ length: 2 }, () => pick(STARTS) + pick(VOWELS)).join('')
    const name = `${syllables}${pick(ENDS)}${round}`
    return name[0]!.toUpperCase() + name.slice(1)
  }
}

function hash(text: string): number {
  let value = 0
  for (const char of text) value = (Math.imul(value, 31) + char.charCodeAt(0)) >>> 0
  return value
}
