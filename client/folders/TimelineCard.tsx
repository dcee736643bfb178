import { useState } from 'react'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { counted } from '#client/ui/text/count.ts'
import { FactsAtDate } from './FactsAtDate.tsx'
import { changedFields, indexAt } from './timeline.ts'
import { TimelineSlider } from './TimelineSlider.tsx'
import classes from './Folders.module.css'

/** Steps through the snapshots of the folder. */
export function TimelineCard({ history }: { history: Loadable<FolderAtDate[]> }) {
  const changes = history.data?.filter((_, index, all) => changedFields(all, index).length > 0).length
  const note = history.data && `${counted(history.data.length, 'snapshot')}, ${counted(changes ?? 0, 'change')}`
  return (
    <Card title="Detailed timeline" note={note} remote={history}>
      {(history) => <Timeline history={history} />}
    </Card>
  )
}

function Timeline({ history }: { history: FolderAtDate[] }) {
  const { active } = useActiveDate()
  const [chosen, choose] = useState<string>()
  const index = indexAt(history, chosen ?? active?.indexingDate ?? '')
  return (
    <div className={classes.timeline}>
      <TimelineSlider history={history} index={index} onChoose={(index) => choose(history[index]?.indexingDate)} />
      <FactsAtDate history={history} index={index} />
    </div>
  )
}
