import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type Ref, useId, useRef, useState } from 'react'
import { dayText, momentText, parseDay, parseMoment } from '../display/dateText.ts'
import classes from './DateFields.module.css'
import { fromLocalInputValue, toLocalInputValue } from './localInputValue.ts'

type DateFieldProps = Pick<TextInputProps, 'description' | 'className' | 'style' | 'styles'> & {
  'data-autofocus'?: boolean
  label: string
  value: string | undefined
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
  /** Text that is no date leaves the value as it is; with `strict` it clears the value. */
  strict?: boolean
  onChange(value: string | undefined): void
}

/** A day of the calendar, `2026-11-29`. Shows it as the page does. Takes it typed in that form, in numbers or in ISO 8601, or picked. */
export function DayField(props: DateFieldProps) {
  return <DateField {...props} kind={dayKind} />
}

/** A moment in the reader's time zone. `value`: ISO 8601. */
export function MomentField(props: DateFieldProps) {
  return <DateField {...props} kind={momentKind} />
}

type Kind = {
  type: 'date' | 'datetime-local'
  max: string
  /** The value of the browser's picker. */
  toInput(value: string | undefined): string
  fromInput(text: string): string | undefined
  format(value: string): string
  parse(text: string): string | undefined
  hint: string
}

const dayKind: Kind = {
  type: 'date',
  max: '9999-12-31',
  toInput: (value) => value ?? '',
  fromInput: (text) => text || undefined,
  format: (value) => dayText(value),
  parse: (text) => parseDay(text),
  hint: 'Write a day like',
}

const momentKind: Kind = {
  type: 'datetime-local',
  max: '9999-12-31T23:59',
  toInput: toLocalInputValue,
  fromInput: fromLocalInputValue,
  format: (value) => momentText(value),
  parse: (text) => parseMoment(text),
  hint: 'Write a time like',
}

/** A text field and a button that opens the browser's picker. See docs/decisions/0040-native-calendar.md. */
function DateField({ kind, label, value, error, strict = false, onChange, ...field }: DateFieldProps & { kind: Kind }) {
  const labelId = useId()
  const { text, hint, write, leave, pick } = useDateText({ kind, value, strict, onChange })
  return (
    <TextInput
      {...field}
      label={label}
      labelProps={{ id: labelId }}
      value={text}
      autoComplete="off"
      error={error ?? hint}
      onChange={(event) => write(event.currentTarget.value)}
      onBlur={leave}
      rightSection={<CalendarButton kind={kind} labelId={labelId} value={value} onPick={pick} />}
    />
  )
}

type CalendarButtonProps = { kind?: Kind; labelId: string; value: string | undefined; onPick(value: string | undefined): void }

/** Opens the browser's picker, of moments by default. For the right section of a text field. `labelId`: the label of that field. */
export function CalendarButton({ kind = momentKind, labelId, value, onPick }: CalendarButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Open calendar"
        aria-describedby={labelId}
        onClick={() => picker.current?.showPicker()}
      >
        <IconCalendar size={16} aria-hidden />
      </ActionIcon>
      <input
        ref={picker}
        className={classes.picker}
        type={kind.type}
        max={kind.max}
        tabIndex={-1}
        aria-hidden
        value={kind.toInput(value)}
        onChange={(event) => onPick(kind.fromInput(event.currentTarget.value))}
      />
    </>
  )
}

type DateTextOptions = Pick<DateFieldProps, 'value' | 'onChange'> & { kind: Kind; strict: boolean }

/** The text of a field. While a person types, it stays as typed; a value that was set elsewhere replaces it. */
function useDateText({ kind, value, strict, onChange }: DateTextOptions) {
  const format = (at: string | undefined) => (at === undefined ? '' : kind.format(at))
  const [text, setText] = useState(() => format(value))
  /** What the field takes, after text that is no date. */
  const [hint, setHint] = useState<string>()
  const [seen, setSeen] = useState(value)
  const [emitted, setEmitted] = useState(value)
  const show = (shown: string | undefined) => {
    setText(format(shown))
    setHint(undefined)
  }
  if (value !== seen) {
    setSeen(value)
    if (value !== emitted) {
      setEmitted(value)
      show(value)
    }
  }
  const emit = (next: string | undefined) => {
    setEmitted(next)
    if (next !== value) onChange(next)
  }
  return {
    text,
    hint,
    write: (typed: string) => {
      setText(typed)
      setHint(undefined)
      const parsed = kind.parse(typed)
      if (parsed !== undefined || typed === '' || strict) emit(parsed)
    },
    leave: () => {
      if (text === '' || text === format(value) || kind.parse(text) !== undefined) show(value)
      else setHint(`${kind.hint} ${kind.format(new Date().toISOString())}.`)
    },
    pick: (picked: string | undefined) => {
      emit(picked)
      show(picked)
    },
  }
}
