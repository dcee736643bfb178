import { ActionIcon } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { GroupEditor } from './GroupEditor.tsx'
import { MatchCount } from './MatchCount.tsx'
import classes from './QueryBuilder.module.css'
import { StringFormat } from './StringFormat.tsx'
import { type Builder, type BuilderProps, useBuilder } from './useBuilder.ts'
import { useBuilderKeys } from './useBuilderKeys.ts'

/** Nested conditions with AND and OR, as form and as text, with the number of matches. */
export function QueryBuilder(props: BuilderProps) {
  const builder = useBuilder(props)
  useBuilderKeys(builder)
  const { root, group, metadata, announcement } = builder
  return (
    <section ref={root} className="stack padded gap-12 panel relative" aria-label="Conditions">
      <div className="row wrap gap-4">
        <MatchCount group={group} />
        <Step builder={builder} step="undo" />
        <Step builder={builder} step="redo" />
      </div>
      <GroupEditor group={group} depth={1} builder={builder} />
      {metadata.error && (
        <p className="muted">
          Metadata fields could not be loaded. Only built-in fields are available.{' '}
          <InlineFailure error={metadata.error} retry={metadata.retry} isShort />
        </p>
      )}
      {props.error !== undefined && (
        <p className="critical break" role="alert">
          {props.error}
        </p>
      )}
      <StringFormat builder={builder} />
      <output className={classes.heard}>{announcement}</output>
    </section>
  )
}

const steps = {
  undo: { title: 'Undo', keys: 'Ctrl+Z', Sign: IconArrowBackUp },
  redo: { title: 'Redo', keys: 'Ctrl+Shift+Z', Sign: IconArrowForwardUp },
}

/** Keeps the focus when there is nothing left to undo, so that shortcuts keep working. */
function Step({ builder, step }: { builder: Builder; step: keyof typeof steps }) {
  const { title, keys, Sign } = steps[step]
  const go = builder[step]
  return (
    <ActionIcon
      variant="subtle"
      aria-label={title}
      title={`${title} (${keys})`}
      aria-disabled={!go}
      {...(!go && { 'data-disabled': true })}
      onClick={() => go?.()}
    >
      <Sign size={16} stroke={1.5} />
    </ActionIcon>
  )
}
