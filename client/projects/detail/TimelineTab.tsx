import { IconFolders } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { type FoldersChanged, type Project, type ProjectAtDate, projects } from '#events/projects/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { SizeTimeline } from '#client/parts/time-window/SizeTimeline.tsx'
import { DayStack } from '#client/ui/charts/DayStack.tsx'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { layersOf, marksOf, stackedLine } from './historyChart.ts'
import { useHistory } from './useHistory.ts'
import classes from './Project.module.css'

const title = 'Size by storage over time'

/** History of a project: size by storage, and changes to its folders. */
export function TimelineTab({ project }: { project: Project }) {
  const { base } = useSnapshot(sizeSetting)
  const { timeWindow, dates, openDay } = useHistory(project)
  const changes = useRemote(projects.changes, { params: { id: project.id } }, 'projects')
  const { frame } = timeWindow
  const reading = { measure: 'size', base } as const
  return (
    <div className="stack gap-12">
      <SizeTimeline<ProjectAtDate[]>
        title={title}
        timeWindow={timeWindow}
        remote={dates}
        line={(dates, base) => stackedLine(dates, base, project.allocatedSize)}
        onPick={openDay}
      >
        {(dates, { parts, limit }) => (
          <DayStack
            label={title}
            parts={parts}
            layers={layersOf(dates)}
            marks={marksOf(changes.data ?? [], frame)}
            limit={limit}
            from={frame.from}
            to={frame.to}
            base={stepBase(reading)}
            tickText={tickText(reading)}
            onPick={openDay}
          />
        )}
      </SizeTimeline>
      <Card title="Folder changes" note={changes.data && counted(changes.data.length, 'change')} remote={changes}>
        {(changes) =>
          changes.length === 0 ? (
            <Notice icon={IconFolders}>The folders of this project never changed.</Notice>
          ) : (
            <ol className={classes.changes}>
              {changes.toReversed().map((change) => (
                <li key={change.at}>
                  <Change change={change} />
                </li>
              ))}
            </ol>
          )
        }
      </Card>
    </div>
  )
}

function Change({ change: { at, by, added, removed } }: { change: FoldersChanged }) {
  return (
    <>
      <p className="flex gap-12">
        <Moment at={at} /> <span>{by}</span>
      </p>
      <ul>
        {added.map((path) => (
          <li className="break" key={`+${path}`}>
            + {path}
          </li>
        ))}
        {removed.map((path) => (
          <li className="break" key={`-${path}`}>
            − {path}
          </li>
        ))}
        {added.length + removed.length === 0 && <li>Created without folders</li>}
      </ul>
    </>
  )
}
