import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Completion, completionsOf, readTerms, termIn } from '#events/search/terms.ts'
import type { Volume } from '#events/snapshots.ts'
import { focusFirstRow } from '#client/ui/table/useKeysAnywhere.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { type FilterParams, paramOf, sizeBaseOf } from '#client/parts/searched/filterNames.ts'
import { patternHelp } from './patternHelp.ts'
import { useDebouncedInput } from './useDebouncedInput.ts'
import classes from '#client/search/SearchPage.module.css'

type SearchLineProps = {
  params: FilterParams
  set: (change: FilterParams) => void
  volumes: readonly Volume[]
  disabled: boolean
}

/** Input for words of the name, and for terms such as `accessed>1y`, which become filters. Terms are completed while they are typed. */
export function SearchLine({ params, set, volumes, disabled }: SearchLineProps) {
  const id = useId()
  const [isOpen, open] = useState(false)
  const [active, point] = useState(-1)
  const text = paramOf(params, 'search')
  const base = sizeBaseOf(params, useSizeBase())
  const { field, draft, setDraft, cancel } = useDebouncedInput(text, (search) => set({ search: [search] }), termIn)
  const completions = isOpen && draft !== undefined ? completionsOf(draft, volumes) : []
  const shown = completions[active] ? active : -1
  const unread = draft === undefined ? undefined : termIn(draft)
  const close = () => {
    open(false)
    point(-1)
  }
  const apply = (line: string) => {
    cancel()
    close()
    const { words, found } = readTerms(line, params, volumes)
    const isUnread = termIn(words) !== undefined
    setDraft(isUnread ? words : undefined)
    if (Object.keys(found).length > 0 || (words !== text && !isUnread))
      set({ ...found, ...(base === '10' && { sizeBase: [base] }), search: [isUnread ? text : words] })
  }
  const complete = ({ line, isWhole }: Completion) => {
    if (isWhole) return apply(line)
    setDraft(line)
    return point(-1)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && completions.length > 0) {
      event.preventDefault()
      point((shown + step + completions.length + (shown < 0 && step < 0 ? 1 : 0)) % completions.length)
    } else if (event.key === 'Escape' && completions.length > 0) {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter') {
      const chosen = completions[shown]
      if (chosen) return complete(chosen)
      focusFirstRow()
      apply(event.currentTarget.value)
    }
    return undefined
  }
  return (
    <div className={classes.search}>
      <TextInput
        {...field}
        onChange={(event) => {
          open(true)
          point(-1)
          field.onChange(event)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close()
          if (unread) apply(draft ?? '')
        }}
        size="md"
        type="search"
        aria-label="Search"
        aria-autocomplete="list"
        aria-controls={completions.length > 0 ? id : undefined}
        aria-activedescendant={shown < 0 ? undefined : `${id}-${shown}`}
        placeholder="Search by name (* = any characters, ? = one character), or accessed>1y"
        title={patternHelp}
        maxLength={1_000}
        disabled={disabled}
        leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
        data-search
      />
      {!isOpen && unread && <Unread term={unread} />}
      {completions.length > 0 && <Completions id={id} active={shown} completions={completions} onChoose={complete} />}
    </div>
  )
}

const Unread = ({ term }: { term: string }) => (
  <p className={classes.completions} role="alert">
    {term} isn't a filter. To search for it in names, use More &gt; Name.
  </p>
)

type CompletionsProps = {
  id: string
  active: number
  completions: readonly Completion[]
  onChoose: (completion: Completion) => void
}

/** Keys arrive at the input, which keeps the focus. */
function Completions({ id, active, completions, onChoose }: CompletionsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list can't show hints
    <div id={id} className={classes.completions} role="listbox" aria-label="Completions">
      {completions.map((completion, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={completion.label}
          id={`${id}-${index}`}
          className="row gap-12 min-28 sides-8 radius-4"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(completion)}
        >
          <span className="mono">{completion.label}</span>
          <span className="muted small truncate">{completion.hint}</span>
        </div>
      ))}
    </div>
  )
}
