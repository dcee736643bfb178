import { Link } from 'wouter'
import { useSnapshot } from 'valtio'
import { searchSizes } from '#events/search/calls.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { exactSize } from '#client/ui/text/size.ts'
import { type Question, insightOf, questionsOf, searchOf } from './insights.ts'
import { Percent } from './Percent.tsx'
import classes from './InsightsCard.module.css'

/** Unused and duplicate data, with its cost. */
export function InsightsCard({ volume }: { volume: DetailedVolume }) {
  return (
    <Panel title="Insights">
      <ul className={classes.insights}>
        {questionsOf(volume).map((question) => (
          <li key={question.key}>
            <InsightLine question={question} volume={volume} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function InsightLine({ question, volume }: { question: Question; volume: DetailedVolume }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { indexingDate } = useActiveDate()
  const search = searchOf(question, volume)
  const { data, error, loading, retry } = useRemote(
    searchSizes,
    { query: { ...search, indexingDate } },
    'snapshots',
    'volumes',
  )
  if (data === undefined) return error && !loading ? <InlineFailure error={error} retry={retry} /> : <Waiting />
  if (data.count === 0) return question.none
  const { amount, reclaimable, share, saving } = insightOf(question, data, volume, base)
  return (
    <>
      <Link href={links.search(search)} title={exactSize(data.size)}>
        {amount}
      </Link>{' '}
      {question.phrase}, <Percent share={share} /> of the total size
      {reclaimable && `; ${reclaimable}`}
      {saving === undefined ? '.' : `. ${question.advice} could save up to ${saving}.`}
      {question.rule && <small className="muted small block">{question.rule}</small>}
    </>
  )
}

const Waiting = () => <span className={classes.line} aria-hidden />
