import { dirname, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import { checkSubjects } from './check-subjects.ts'
import { type ConfigReader, nestedPlace, type Place, quote } from './config-reader.ts'
import { itemPlace } from './item-place.ts'
import { ACCESS_RULE_RULES, ACCESS_RULES, ARGUMENT_PATH } from './rules/access-config-rules.ts'
import type { AccessConfig, AccessRuleConfig, ArgumentValue } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

/** Reads who may use what. Undefined if everybody may use everything. */
export function readAccessConfig(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
  { file, issuers }: { readonly file: string; readonly issuers: readonly string[] },
): AccessConfig | undefined {
  if (!node) return undefined
  const access = reader.object(node, place, ACCESS_RULES)
  if (node.type === 'object' && !access.has('rules') && !access.has('cedar')) {
    const fix = 'Add "rules": [{ "allow": […] }], or remove it.'
    reader.report(node, `${place.label} allows nothing to anybody.`, fix)
  }
  const label = access.name('rules')
  const rules = reader
    .items(access.node('rules'), label)
    .map((item, index) => readRule(reader, item, itemPlace(label, index), issuers))
  const cedar = (access.get('cedar') ?? []).map((path) => resolve(dirname(file), path))
  return { rules, cedar }
}

function readRule(
  reader: ConfigReader,
  node: Node,
  place: Place,
  issuers: readonly string[],
): AccessRuleConfig {
  const rule = reader.object(node, place, ACCESS_RULE_RULES)
  checkSubjects(reader, rule, issuers)
  if (node.type === 'object' && !rule.has('allow') && !rule.has('deny')) {
    const fix = 'Add "allow": […] or "deny": […].'
    reader.report(node, `${place.label} allows and denies nothing.`, fix)
  }
  if (rule.has('arguments') && rule.has('deny')) {
    const message = `${place.label} has both deny and arguments, which only restrict allow.`
    reader.report(rule.node('deny')!, message, 'Move "deny" into a rule of its own.')
  }
  return withoutMissing<AccessRuleConfig>({
    allow: rule.get('allow'),
    deny: rule.get('deny'),
    groups: rule.get('groups'),
    people: rule.get('people'),
    arguments: readArguments(reader, rule.node('arguments'), nestedPlace(place, 'arguments')),
  })
}

function readArguments(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): Record<string, readonly ArgumentValue[]> | undefined {
  if (!node) return undefined
  const entries = reader.entries(node, place.label)
  if (node.type === 'object' && entries.length === 0) {
    reader.report(node, `${place.label} is empty.`, 'Remove it, or write { "parameter": […] }.')
  }
  const read = entries.map(({ key, keyNode, value }) => {
    const label = `${quote(key)} in ${place.label}`
    if (!ARGUMENT_PATH.test(key)) {
      const fix = 'Write the name of a parameter, or a path such as "issue.project".'
      reader.report(keyNode, `${label} is not a parameter.`, fix)
    }
    const items = reader.items(value, label)
    if (value.type === 'array' && items.length === 0) {
      reader.report(value, `${label} permits no value.`, 'Add a value, or remove the rule.')
    }
    return [
      key,
      items.map((item, index) => readValue(item, `item ${index + 1} in ${label}`)),
    ] as const
  })
  return Object.fromEntries(read)

  function readValue(item: Node, label: string): ArgumentValue {
    if (item.type !== 'object' && item.type !== 'array') return item.value
    const fix = 'Write strings, numbers, true, false or null.'
    reader.report(item, `${label} must be a single value.`, fix)
    return null
  }
}
