import { Checkbox } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import type { ActionPlan } from '#events/actions/plans.ts'
import { CallError } from '#client/app/call.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { LeftOut } from './LeftOut.tsx'
import classes from './ActionWizard.module.css'

type ReviewStepProps = {
  plan: Loadable<ActionPlan>
  /** Warnings about the selection. */
  notices: ReactNode
  rows: ComponentProps<typeof ReviewList>['rows']
  options: ReactNode
  warnings: ReactNode
  confirmation: string | undefined
  isConfirmed: boolean
  onConfirm: (isConfirmed: boolean) => void
  busy: boolean
}

/** Choices of a wizard, and the plan with its files. Takes the focus, since its buttons are disabled while the server plans. */
export function ReviewStep({ plan, notices, rows, options, warnings, ...props }: ReviewStepProps) {
  const { confirmation, isConfirmed, onConfirm, busy } = props
  const { data, error, loading, retry } = plan
  return (
    <div className={classes.step} tabIndex={-1} data-autofocus>
      <ReviewList rows={data ? [...rows, ...figuresOf(data)] : rows} />
      {options && (
        <fieldset className="stack shrink gap-16" disabled={busy} data-takes-enter>
          {options}
        </fieldset>
      )}
      {loading && (
        <>
          <output>Listing the files</output>
          <Skeleton rows={3} />
        </>
      )}
      {error && !loading && <FetchFailure error={error} {...sentenceOf(error)} retry={retry} />}
      {data?.files === 0 && <Warning>There are no files to process, so nothing can be started.</Warning>}
      {notices}
      {warnings}
      {confirmation !== undefined && (
        <Checkbox
          label={confirmation}
          checked={isConfirmed}
          disabled={busy || !data}
          onChange={({ currentTarget }) => onConfirm(currentTarget.checked)}
        />
      )}
      {data && <LeftOut key={data.id} plan={data} />}
    </div>
  )
}

/** Errors with a code have a sentence for users. */
const sentenceOf = (error: Error) =>
  error instanceof CallError && error.code !== undefined ? { message: error.message } : {}

const figuresOf = ({ files, bytes, indexingDate }: ActionPlan): [string, ReactNode][] => [
  ['Files', <Count key="files" of={files} />],
  ['Size', <Size key="size" bytes={bytes} />],
  ['Snapshot', indexingDate ?? '-'],
]
