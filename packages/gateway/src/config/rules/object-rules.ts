/**
 * The keys of one object in a configuration file. The reader and the JSON Schema for editors both use
 * these rules.
 */
export interface ObjectRules<Shape extends object> {
  readonly properties: { readonly [Key in keyof Shape]-?: PropertyOf<NonNullable<Shape[Key]>> }
  /** Keys of other clients that the gateway accepts and ignores. */
  readonly ignored?: readonly string[]
  /** Keys that are rejected, each with the fix to suggest. */
  readonly rejected?: Readonly<Record<string, string>>
}

/** How to read a property, and how to describe it. */
export type Property =
  | BooleanProperty
  | IntegerProperty
  | ChoiceProperty<string>
  | TextProperty
  | ListProperty
  | MapProperty
  | ObjectProperty
  | ObjectsProperty
  | AnyProperty

interface Described {
  /** Shown by editors. */
  readonly description: string
}

interface BooleanProperty extends Described {
  readonly kind: 'boolean'
  readonly default?: boolean
}

export interface IntegerProperty extends Described {
  readonly kind: 'integer'
  readonly min: number
  readonly max: number
  /** The unit, for the suggested fix. */
  readonly unit?: string
  readonly default?: number
}

interface ChoiceProperty<Choice extends string> extends Described {
  readonly kind: 'choice'
  readonly choices: readonly Choice[]
  readonly default?: Choice
}

/** A string in which variables such as `${NAME}` are expanded. */
export interface TextProperty extends Described {
  readonly kind: 'text'
  /** Variables are not expanded. */
  readonly isLiteral?: true
  /** What the text must look like. `example` says it in words. */
  readonly pattern?: RegExp
  /** The expanded text must be a URL that matches this pattern, such as `https://…`. */
  readonly url?: RegExp
  /** What a valid text looks like, for the suggested fix. */
  readonly example?: string
  readonly isEmptyAllowed?: true
}

export interface ListProperty extends Described {
  readonly kind: 'list'
  /** Whether variables are expanded in the items. */
  readonly isExpanded?: true
  /** What items must look like. Without `itemExample`, only empty items are reported here. */
  readonly itemPattern?: RegExp
  /** What a valid item looks like, for the suggested fix. */
  readonly itemExample?: string
  readonly maxItemLength?: number
  /** An empty list is a mistake. */
  readonly isNeverEmpty?: true
}

export interface MapProperty extends Described {
  readonly kind: 'map'
  /** Whether variables are expanded in the values. */
  readonly isExpanded?: true
  readonly keyPattern?: RegExp
  readonly valuePattern?: RegExp
  /** `${person:NAME}` stays in the values, for each person's own. */
  readonly takesPersonValues?: true
  /** Numbers are accepted and converted to text. */
  readonly takesNumbers?: true
}

interface ObjectProperty extends Described {
  readonly kind: 'object'
  /** Its definition in the JSON Schema. */
  readonly definition:
    | 'servers'
    | 'settings'
    | 'serverSettings'
    | 'oauth'
    | 'limits'
    | 'scripts'
    | 'embedder'
    | 'overrides'
    | 'annotations'
    | 'parameters'
    | 'identity'
    | 'issuerProxy'
    | 'issuerPage'
    | 'access'
    | 'ruleArguments'
    | 'profiles'
    | 'audit'
    | 'telemetry'
    | 'state'
    | 'encryption'
    | 'credentials'
    | 'tokenExchange'
}

/** A list of objects. */
interface ObjectsProperty extends Described {
  readonly kind: 'objects'
  /** The definition of an item in the JSON Schema. */
  readonly definition: 'issuer' | 'accessRule' | 'rateLimit'
}

/** Any JSON value. */
interface AnyProperty extends Described {
  readonly kind: 'any'
}

type PropertyOf<Value> = [boolean | string] extends [Value]
  ? AnyProperty
  : [Value] extends [boolean]
    ? BooleanProperty
    : [Value] extends [number]
      ? IntegerProperty
      : [Value] extends [string]
        ? string extends Value
          ? TextProperty
          : ChoiceProperty<Value>
        : [Value] extends [readonly string[]]
          ? ListProperty
          : [Value] extends [Readonly<Record<string, string>>]
            ? string extends keyof Value
              ? MapProperty
              : ObjectProperty
            : [Value] extends [readonly object[]]
              ? ObjectsProperty
              : ObjectProperty
