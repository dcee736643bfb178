import type { ReactNode } from 'react'
import { sumOfStorages } from '#events/jobs/found.ts'
import { fieldsOf, type TaskResult } from '#events/jobs/taskResults.ts'
import { counted, countText } from '#client/ui/text/count.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { goneWords, storageText, targetText } from '#events/jobs/foundText.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import classes from './JobDialog.module.css'

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type ResultProps = { result: TaskResult | null }

/** Counts of an action on files. */
export function ActionFacts({ result }: ResultProps) {
  const { toDo, done = 0, bytesDone = 0, failed = 0, leftOut = 0 } = fieldsOf(result)
  if (toDo === undefined) return null
  return (
    <>
      <Fact label="Done">
        {`${countText(done)} of ${counted(toDo, 'file')}, `}
        <Size bytes={bytesDone} />
      </Fact>
      <Fact label="Failed">
        <Count of={failed} one="file" />
      </Fact>
      <Fact label="Left out">
        <Count of={leftOut} one="file" />
      </Fact>
    </>
  )
}

/** Files of an action as later scans found them. */
export function FoundFacts({ type, result }: ResultProps & { type: string }) {
  const { found } = fieldsOf(result)
  if (!found) return null
  const sum = sumOfStorages(found.storages)
  return (
    <>
      {found.target && <Fact label="At the target">{targetText(found.target)}</Fact>}
      {sum && (
        <Fact label="At the source">
          {storageText(sum)}
          {sum.gone > 0 && (
            <>
              , <Size bytes={sum.goneBytes} /> {goneWords(type)}
            </>
          )}
        </Fact>
      )}
      <Fact label="Checked by a scan">
        <Moment at={found.at} />
      </Fact>
    </>
  )
}

/** Maximum number of failed files shown; the result has more. */
const maxShown = 10

/** The first failed files of an action, with the reasons. */
export function FailedFiles({ result }: ResultProps) {
  const { failed = 0, failedPaths = [] } = fieldsOf(result)
  if (failedPaths.length === 0) return null
  const more = Math.max(failed, failedPaths.length) - Math.min(failedPaths.length, maxShown)
  return (
    <section aria-label="Failed files">
      <h3 className="heading">Failed files</h3>
      <ul className={classes.failedFiles}>
        {failedPaths.slice(0, maxShown).map(({ path, reason }) => (
          <li key={path}>
            <PathText path={path} />
            <span className="muted small">{reason}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="muted small">{`and ${counted(more, 'more file')}`}</p>}
    </section>
  )
}
