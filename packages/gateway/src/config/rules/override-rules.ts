import type { AnnotationOverride, FixedParameter, ToolOverride } from '../gateway-config.ts'
import { rename } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

export const OVERRIDE_RULES: ObjectRules<ToolOverride> = {
  properties: {
    name: {
      kind: 'text',
      isLiteral: true,
      pattern: /^[A-Za-z0-9_.-]{1,64}$/,
      example: '1 to 64 letters, digits, "_", "-" or "."',
      description: "The tool's name. The prefix of the server is added as usual.",
    },
    title: { kind: 'text', isLiteral: true, description: 'The title that clients show.' },
    description: {
      kind: 'text',
      isLiteral: true,
      isEmptyAllowed: true,
      description: 'The description that models read and searches use.',
    },
    annotations: {
      kind: 'object',
      definition: 'annotations',
      description:
        'Annotations to replace; the others stay. They also decide which `allow` and `deny` rules match, and whether the tool is read-only.',
    },
    parameters: {
      kind: 'object',
      definition: 'parameters',
      description:
        'Parameters to hide, each with the value to send in every call, such as `{ "dry_run": { "value": true } }`.',
    },
  },
}

export const ANNOTATION_RULES: ObjectRules<AnnotationOverride> = {
  properties: {
    readOnlyHint: { kind: 'boolean', description: 'Whether the tool only reads.' },
    destructiveHint: {
      kind: 'boolean',
      description: 'Whether the tool may delete or overwrite something.',
    },
    idempotentHint: {
      kind: 'boolean',
      description: 'Whether a repeated call with the same arguments changes nothing more.',
    },
    openWorldHint: {
      kind: 'boolean',
      description: 'Whether the tool reaches systems beyond the server, such as the web.',
    },
  },
  rejected: { title: 'Write "title" next to "annotations".' },
}

export const PARAMETER_RULES: ObjectRules<FixedParameter> = {
  properties: {
    value: { kind: 'any', description: 'The value to send in every call.' },
  },
  rejected: { default: rename('value'), const: rename('value') },
}
