/** Whether a `$ref` that starts with `#` points to something inside `root`. */
export function resolvesReference(reference: string, root: unknown): boolean {
  if (reference === '#') return true
  if (!reference.startsWith('#/')) return hasAnchor(root, reference.slice(1))
  let target: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = decodePointerStep(step)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return false
    target = (target as Record<string, unknown>)[key]
  }
  return true
}

/** The root for references inside `schema`: the schema itself if it has an `$id`, or the outer root. */
export function rootOf(schema: Record<string, unknown>, outerRoot: unknown): unknown {
  const { $id } = schema
  // in older drafts, an $id that is only a fragment is an anchor
  return typeof $id === 'string' && !$id.startsWith('#') ? schema : outerRoot
}

function hasAnchor(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { $anchor, $dynamicAnchor, $id } = node as Record<string, unknown>
  if ($anchor === name || $dynamicAnchor === name || $id === `#${name}`) return true
  return Object.values(node).some((child) => hasAnchor(child, name))
}

function decodePointerStep(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
