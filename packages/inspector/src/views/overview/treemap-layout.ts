import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { CostReport } from '../../api/contract.ts'
import { fitLabel } from './fit-label.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ServerBox extends Box {
  readonly server: string
  readonly tokens: number
  readonly share: number
  readonly cells: readonly ToolBox[]
}

export interface ToolBox extends Box {
  /** Absent for a cell that combines several small tools. */
  readonly tool?: string
  readonly tools: number
  readonly tokens: number
  /** The tool's own name, or how many tools the cell combines. */
  readonly label: string
  /** Lines of the label; absent if the cell is too small for it. */
  readonly lines?: number
}

interface Node {
  readonly server?: string
  readonly tool?: string
  readonly tools?: number
  readonly tokens?: number
  readonly children?: readonly Node[]
}

interface Size {
  readonly width: number
  readonly height: number
}

/** In square pixels; smaller tools are combined from the start. */
const SMALLEST_CELL = 300
const HEAD = 20
/** Cells of tools are wider than high, because names are. */
const STRETCH = 2.2
/** How often tools whose names do not fit are combined, which changes the layout. */
const MAX_PASSES = 10

/**
 * Lays out servers and their tools as nested areas, proportional to their tokens. Tools whose cells
 * are too small for a name are combined into one cell per server.
 */
export function layoutTreemap(servers: CostReport['servers'], size: Size): ServerBox[] {
  const eager = servers.reduce((sum, { tokens }) => sum + tokens, 0)
  if (eager === 0 || size.width <= 0) return []
  const smallest = (SMALLEST_CELL * eager) / (size.width * size.height)
  const combined = new Set<string>()
  for (const { tools } of servers)
    for (const { name, tokens } of tools) if (tokens < smallest) combined.add(name)
  let boxes = layoutOnce(servers, combined, size)
  for (let pass = 1; pass < MAX_PASSES; pass++) {
    const next = boxes.flatMap(toCombine)
    if (next.length === 0) break
    for (const tool of next) combined.add(tool)
    boxes = layoutOnce(servers, combined, size)
  }
  return boxes
}

/** The smallest tools of a server whose names do not fit. Not all at once: each pass makes room. */
function toCombine({ cells }: ServerBox): string[] {
  // A single cell has nothing to be combined with.
  if (cells.length === 1) return []
  const unnamed = cells.filter(({ lines, tool }) => lines === undefined && tool !== undefined)
  const smallest = unnamed.toSorted((a, b) => a.tokens - b.tokens)
  return smallest.slice(0, Math.ceil(unnamed.length / 4)).flatMap(({ tool }) => tool ?? [])
}

function layoutOnce(
  servers: CostReport['servers'],
  combined: ReadonlySet<string>,
  { width, height }: Size,
): ServerBox[] {
  const root = hierarchy<Node>({
    children: servers.map((server) => serverNode(server, combined)),
  }).sum(({ tokens = 0 }) => tokens)
  const placed = treemap<Node>()
    .size([width, height])
    .tile(tile)
    .paddingInner((node) => (node.depth === 0 ? 2 : 1))
    .paddingOuter((node) => (node.depth === 0 ? 0 : 1))
    .paddingTop((node) => (node.depth === 1 ? HEAD : 0))(root)
  const eager = root.value ?? 1
  return (placed.children ?? []).map((node) => ({
    ...boxOf(node),
    server: node.data.server!,
    tokens: node.value ?? 0,
    share: (node.value ?? 0) / eager,
    cells: (node.children ?? []).map(toolBox),
  }))
}

/** Servers are about as wide as high. Their tools are laid out in a narrower box, then stretched. */
function tile(
  node: HierarchyRectangularNode<Node>,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  const stretch = node.depth === 0 ? 1 : STRETCH
  treemapSquarify(node, x0 / stretch, y0, x1 / stretch, y1)
  for (const child of node.children ?? []) {
    child.x0 *= stretch
    child.x1 *= stretch
  }
}

function serverNode(
  { server, tools }: CostReport['servers'][number],
  combined: ReadonlySet<string>,
): Node {
  const drawn = tools.filter(({ name }) => !combined.has(name))
  const rest = tools.filter(({ name }) => combined.has(name))
  const children: Node[] = drawn.map(({ name, tokens }) => ({ tool: name, tools: 1, tokens }))
  const tokens = rest.reduce((sum, tool) => sum + tool.tokens, 0)
  if (tokens > 0) children.push({ tools: rest.length, tokens })
  return { server, children }
}

function toolBox(node: HierarchyRectangularNode<Node>): ToolBox {
  const box = boxOf(node)
  const { tool, tools = 1 } = node.data
  const label = tool?.split('__').at(-1) ?? `${tools} more`
  const lines = fitLabel(label, box)
  return {
    ...box,
    ...(tool !== undefined && { tool }),
    tools,
    tokens: node.value ?? 0,
    label,
    ...(lines !== undefined && { lines }),
  }
}

function boxOf({ x0, y0, x1, y1 }: HierarchyRectangularNode<Node>): Box {
  const [left, right] = [Math.round(x0), Math.round(x1)]
  const [top, bottom] = [Math.round(y0), Math.round(y1)]
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
}
