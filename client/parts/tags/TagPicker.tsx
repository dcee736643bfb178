import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { compareNames } from '#events/contract/names.ts'
import { Tag, knownTags } from '#events/tags.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { ActionContentProps, ActionTarget } from '#client/parts/selection/action.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { type TagMode, applyTags } from './applyTags.tsx'
import classes from './Tags.module.css'

type TagPickerProps = ActionContentProps & { mode: TagMode }

/** List of known tags with a filter. Enter in the filter adds a new tag. */
export function TagPicker({ mode, target, onClose }: TagPickerProps) {
  const known = useRemote(knownTags, { query: {} }, 'tags')
  const [filter, setFilter] = useState('')
  const [made, make] = useState<string[]>([])
  const [chosen, choose] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const all = [...made, ...offered(mode, target, known.data ?? []).filter((tag) => !made.includes(tag))]
  const shown = all.filter((tag) => tag.toLowerCase().includes(filter.trim().toLowerCase()))
  const fresh = mode === 'add' ? freshTag(filter, all) : undefined
  const toggle = (tag: string) =>
    choose(chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag])
  const addFresh = () => {
    if (!fresh) return
    make([fresh, ...made])
    choose([...chosen, fresh])
    setFilter('')
  }
  const apply = () => {
    setBusy(true)
    applyTags(mode, [...chosen], target)
      .then(onClose)
      .catch(toastFailure)
      .finally(() => setBusy(false))
  }
  return (
    <div className={classes.picker}>
      <TextInput
        aria-label={mode === 'add' ? 'Find or create a tag' : 'Find a tag'}
        placeholder={mode === 'add' ? 'Find or create a tag' : 'Find a tag'}
        value={filter}
        data-autofocus
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && addFresh()}
      />
      {fresh && (
        <button type="button" className={classes.fresh} onClick={addFresh}>
          <IconPlus size={14} stroke={1.5} aria-hidden /> Add “{fresh}”
        </button>
      )}
      {known.error && !known.loading && <Failure error={known.error} retry={known.retry} />}
      {!known.data && known.loading && <Skeleton />}
      <TagChoices tags={shown} chosen={chosen} onToggle={toggle} />
      {known.data && shown.length === 0 && !fresh && <p className="muted">No tags found</p>}
      {isPartOf(target) && <p className="muted small">Only results in projects that you manage change.</p>}
      <Button disabled={chosen.length === 0} loading={busy} onClick={apply}>
        {mode === 'add' ? 'Add tags' : 'Remove tags'}
      </Button>
    </div>
  )
}

const isPartOf = ({ selection }: ActionTarget): boolean =>
  !('entries' in selection) && !userMay(session.user, 'entries.tag')

type TagChoicesProps = { tags: string[]; chosen: readonly string[]; onToggle: (tag: string) => void }

function TagChoices({ tags, chosen, onToggle }: TagChoicesProps) {
  return (
    <ul className={classes.choices} aria-label="Known tags">
      {tags.map((tag) => (
        <li key={tag}>
          <label className={classes.choice}>
            <input type="checkbox" checked={chosen.includes(tag)} onChange={() => onToggle(tag)} />
            <span>{tag}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** Tags to offer for removal: those of the entries, or all known tags for a search. */
const offered = (mode: TagMode, { selection, entries }: ActionTarget, known: string[]): string[] =>
  mode === 'remove' && 'entries' in selection
    ? [...new Set(entries.flatMap(({ customTag }) => customTag))].sort(compareNames)
    : known

/** The typed text if it is a valid new tag. */
function freshTag(typed: string, known: string[]): string | undefined {
  const { data: tag } = Tag.safeParse(typed)
  return tag && !known.includes(tag) ? tag : undefined
}
