import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy'
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

/** In square pixels; smaller tools are combined. */
const SMALLEST_CELL = 420
const HEAD = 20
/** Cells are wider than high, because names are. */
const STRETCH = 1.9

/** Lays out servers and their tools as nested areas, proportional to their tokens. */
export function layoutTreemap(
  servers: CostReport['servers'],
  { width, height }: { readonly width: number; readonly height: number },
): ServerBox[] {
  const eager = servers.reduce((sum, { tokens }) => sum + tokens, 0)
  if (eager === 0 || width <= 0) return []
  const smallest = (SMALLEST_CELL * eager) / (width * height)
  const root = hierarchy<Node>({
    children: servers.map((server) => serverNode(server, smallest)),
  }).sum(({ tokens = 0 }) => tokens)
  const placed = treemap<Node>()
    .size([width / STRETCH, height])
    .paddingInner(1)
    .paddingOuter(2)
    .paddingTop((node) => (node.depth === 1 ? HEAD : 0))(root)
  return (placed.children ?? []).map((node) => ({
    ...boxOf(node),
    server: node.data.server!,
    tokens: node.value ?? 0,
    share: (node.value ?? 0) / eager,
    cells: (node.children ?? []).map(toolBox),
  }))
}

function serverNode({ server, tools }: CostReport['servers'][number], smallest: number): Node {
  const drawn = tools.filter(({ tokens }) => tokens >= smallest)
  const rest = tools.filter(({ tokens }) => tokens < smallest)
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
  const [left, right] = [Math.round(x0 * STRETCH), Math.round(x1 * STRETCH)]
  const [top, bottom] = [Math.round(y0), Math.round(y1)]
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
}
