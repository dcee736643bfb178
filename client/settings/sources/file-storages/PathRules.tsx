import { ActionIcon, TextInput } from '@mantine/core'
import { IconFolderSearch, IconPlus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { FolderPicker } from '#client/parts/folder-picker/FolderPicker.tsx'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { withButtons } from '#client/ui/form/withButtons.tsx'
import { RulePreviewText } from './RulePreviewText.tsx'
import { type RuleKind, useRulePreview } from './useRulePreview.ts'
import classes from './PathRules.module.css'

const texts = {
  ignored: {
    label: 'Ignored Paths',
    description: 'Skipped by scans, including everything below.',
    one: 'ignored path',
  },
  foldersOnly: {
    label: 'Index Folder Only Paths',
    description: 'Below these, only folders are indexed; files count toward their folder.',
    one: 'index folder only path',
  },
} as const

type PathRulesProps = Pick<InputProps<string[]>, 'value' | 'onChange' | 'error' | 'data-autofocus'> & {
  kind?: RuleKind
  /** The storage whose newest snapshot shows the effect of rules; undefined for a new storage. */
  volumeId?: number | undefined
}

/** Paths with a special treatment in scans, with a preview of the rule that is being typed. */
export function PathRules({ kind = 'ignored', volumeId, value: rules, onChange, error, ...focus }: PathRulesProps) {
  const { label, description, one } = texts[kind]
  const [text, setText] = useState('')
  const [isPicking, pick] = useState(false)
  const rule = text.trim() === '' ? '' : text
  const preview = useRulePreview(volumeId, kind, rule === '' ? rules : [rule])
  const indexingDate = preview.data?.indexingDate
  const add = (path: string) => {
    if (path !== '' && !rules.some((known) => isSame(known, path))) onChange([...rules, path])
  }
  const addTyped = () => {
    add(rule)
    setText('')
  }
  return (
    <div className="stack shrink gap-8">
      <TextInput
        label={label}
        description={`${description} ${syntax}`}
        placeholder="/renders/tmp"
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onEnter(addTyped)}
        data-autofocus={focus['data-autofocus']}
        inputContainer={withButtons(
          <>
            <ActionIcon aria-label={`Add ${one}`} title={`Add ${one}`} onClick={addTyped}>
              <IconPlus size={16} stroke={1.5} />
            </ActionIcon>
            {volumeId !== undefined && (
              <ActionIcon
                aria-label={`Choose ${one} from folders`}
                title={indexingDate ? 'Choose a folder' : 'There is no snapshot of this storage yet'}
                aria-expanded={isPicking}
                disabled={!indexingDate}
                onClick={() => pick(!isPicking)}
              >
                <IconFolderSearch size={16} stroke={1.5} />
              </ActionIcon>
            )}
          </>,
        )}
      />
      {isPicking && volumeId !== undefined && indexingDate && (
        <FolderPicker {...{ volumeId, indexingDate }} verb="Add" onChoose={add} />
      )}
      <Chips label={label} rules={rules} onRemove={(gone) => onChange(rules.filter((path) => path !== gone))} />
      {volumeId !== undefined && (
        <RulePreviewText kind={kind} preview={preview} rule={rule} hasRules={rules.length > 0} />
      )}
    </div>
  )
}

const syntax =
  'Relative to the storage; * and ? match within a name, ** matches any folders. A backslash before * or ? makes it literal.'

/** Adds a path instead of submitting the form. */
const onEnter = (add: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  add()
}

type ChipsProps = { label: string; rules: string[]; onRemove: (rule: string) => void }

function Chips({ label, rules, onRemove }: ChipsProps) {
  if (rules.length === 0) return null
  return (
    <ul className={classes.chips} aria-label={label}>
      {rules.map((path) => (
        <li key={path} className={classes.chip}>
          <span className="truncate" title={path}>
            {path}
          </span>
          <button
            type="button"
            className="inline fixed muted focus-inside"
            aria-label={`Remove ${path}`}
            onClick={() => onRemove(path)}
          >
            <IconX size={14} stroke={1.5} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** '/tmp', 'tmp' and 'tmp/' are the same rule. */
const isSame = (one: string, other: string): boolean => namesOf(one) === namesOf(other)
const namesOf = (rule: string) =>
  rule
    .split('/')
    .filter((name) => name !== '')
    .join('/')
