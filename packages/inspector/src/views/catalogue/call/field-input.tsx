import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from '../../../parts/icon.tsx'
import { revealHidden } from '../../../parts/reveal-hidden.ts'
import { type FormProblem, type FormValue, initialValue } from './form-value.ts'
import type { Field, Input } from './schema-fields.ts'

interface FieldInputProps {
  readonly field: Field
  readonly label: string
  readonly path: string
  readonly value: FormValue
  readonly problems: readonly FormProblem[]
  readonly onChange: (value: FormValue) => void
}

/** One field of the form, including its nested fields. */
function FieldInput(props: FieldInputProps): JSX.Element {
  const { field, label, path, value, problems, onChange } = props
  const { input, isRequired, description } = field
  const id = useId()
  const problem = problems.find((each) => each.path === path)
  const name = (
    <>
      <code>{revealHidden(label)}</code>
      {isRequired && field.name !== '' && <span class="required"> required</span>}
    </>
  )
  const hint = description !== undefined && (
    <span id={`${id}-hint`} class="field-hint" dir="auto">
      {revealHidden(description)}
    </span>
  )
  if (input.kind === 'object' || input.kind === 'list') {
    return (
      <fieldset class="field-group">
        <legend>{name}</legend>
        {hint}
        {input.kind === 'object' ? (
          <ObjectFields {...props} fields={input.fields} />
        ) : (
          <ListItems {...props} item={input.item} />
        )}
      </fieldset>
    )
  }
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {hint}
      <SimpleInput
        input={input}
        isRequired={isRequired}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        attributes={{
          id,
          'aria-required': isRequired,
          'aria-invalid': problem !== undefined,
          ...(about !== '' && { 'aria-describedby': about }),
        }}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} class="problem">
          {problem.message}
        </p>
      )}
    </div>
  )
}

interface SimpleInputProps {
  readonly input: Exclude<Input, { kind: 'object' | 'list' }>
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly attributes: { readonly id: string } & Record<string, string | boolean>
}

function SimpleInput(props: SimpleInputProps): JSX.Element {
  const { input, isRequired, value, onChange, attributes } = props
  const enter = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  if (input.kind === 'boolean' || input.kind === 'choice') {
    const options = input.kind === 'boolean' ? [true, false] : input.options
    return (
      <select {...attributes} value={value} onChange={enter}>
        {(!isRequired || value === '') && <option value="">not set</option>}
        {options.map((option) => (
          <option key={JSON.stringify(option)} value={JSON.stringify(option)}>
            {typeof option === 'string' ? option : JSON.stringify(option)}
          </option>
        ))}
      </select>
    )
  }
  if (input.kind === 'json' || (input.kind === 'text' && input.isLong)) {
    const isJson = input.kind === 'json'
    return (
      <textarea
        {...attributes}
        rows={isJson ? 4 : 3}
        class={isJson ? 'json' : undefined}
        placeholder={isJson ? 'JSON' : undefined}
        spellcheck={false}
        value={value}
        onInput={enter}
      />
    )
  }
  if (input.kind === 'number') {
    return (
      <input
        {...attributes}
        type="number"
        step={input.isWhole ? 1 : 'any'}
        min={input.min}
        max={input.max}
        value={value}
        onInput={enter}
      />
    )
  }
  if (input.format === 'date') {
    return <input {...attributes} type="date" value={value} onInput={enter} />
  }
  return (
    <input
      {...attributes}
      type="text"
      autocomplete="off"
      spellcheck={false}
      value={value}
      onInput={enter}
    />
  )
}

interface ObjectFieldsProps extends Omit<FieldInputProps, 'field' | 'label'> {
  readonly fields: readonly Field[]
}

/** The fields of an object, one below the other. */
export function ObjectFields(props: ObjectFieldsProps): JSX.Element {
  const { fields, path, value, problems, onChange } = props
  const given = (typeof value === 'object' ? value : {}) as Readonly<Record<string, FormValue>>
  return (
    <>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          label={field.name}
          path={path === '' ? field.name : `${path}.${field.name}`}
          value={given[field.name] ?? ''}
          problems={problems}
          onChange={(next) => onChange({ ...given, [field.name]: next })}
        />
      ))}
    </>
  )
}

interface ListItemsProps extends Omit<FieldInputProps, 'field'> {
  readonly item: Field
}

function ListItems({ item, label, path, value, problems, onChange }: ListItemsProps): JSX.Element {
  const items = Array.isArray(value) ? (value as readonly FormValue[]) : []
  return (
    <>
      {items.map((each, at) => (
        <div key={at} class="list-item">
          <FieldInput
            field={item}
            label={`${label} ${at + 1}`}
            path={`${path}.${at + 1}`}
            value={each}
            problems={problems}
            onChange={(next) => onChange(items.with(at, next))}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${label} ${at + 1}`}
            onClick={() => onChange(items.toSpliced(at, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="add-item"
        onClick={() => onChange([...items, initialValue(item)])}
      >
        Add {label}
      </button>
    </>
  )
}
