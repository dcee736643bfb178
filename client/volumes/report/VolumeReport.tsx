import { Document, Text } from '@react-pdf/renderer'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { isolated } from '#events/pdf-fonts/spelling.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { storagePriceText } from '#client/parts/cost/costWords.ts'
import { volumeKind, volumeName } from '#client/parts/storages/volumeWords.ts'
import { PdfCard, PdfFacts, PdfPage } from '#client/ui/charts/pdf/PdfPage.tsx'
import { fitted, fittedTitle, paper, paperWidth, written } from '#client/ui/charts/pdf/paper.ts'
import { percentText } from '#client/ui/text/count.ts'
import { perInterval } from '#client/ui/text/money.ts'
import { costsOf } from '#client/volumes/costs.ts'
import { checkedText } from '#client/volumes/checkedText.ts'
import { detailFacts } from '#client/volumes/detailFacts.ts'
import type { Insight } from '#client/parts/volume-analytics/insights.ts'
import { statisticChart, type StatisticChart } from '#client/parts/statistics/statisticChart.ts'
import { DistributionOnPaper } from '#client/parts/distribution/DistributionOnPaper.tsx'
import { statistics } from '#client/parts/statistics/statistics.ts'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { PdfDayLine } from '#client/ui/charts/pdf/PdfDayLine.tsx'
import type { SizeBase } from '#client/ui/text/size.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { timelineChart } from '#client/parts/volume-analytics/timelineChart.ts'
import type { TimeWindow } from '#client/parts/time-window/timeWindow.ts'
import type { VolumeReportProps } from './readReport.ts'

/** Facts of a storage, then statistics of its files. */
export function VolumeReport(report: VolumeReportProps) {
  const { volume, points, insights, actions, frame, reading } = report
  const name = volumeName(volume)
  const foot = `${isolated(name)} · snapshot ${volume.indexingDate}`
  const agent = volume.limited ? [] : [['Agent', volume.server?.name ?? 'Unknown'] as const]
  return (
    <Document title={`Volume ${name}`} creator="DataIntell" producer="DataIntell" language="en">
      <PdfPage foot={foot}>
        <Text style={paper.title}>{fittedTitle(name)}</Text>
        <Text style={paper.subtitle}>{fitted(`${volumeKind(volume)} · ${isolated(volume.fullPath)}`, paperWidth)}</Text>
        <PdfCard title="Storage details">
          <PdfFacts
            facts={[
              ...agent,
              ...detailFacts(volume, reading.base).map(({ name, text }) => [name, onPaper(text)] as const),
            ]}
          />
        </PdfCard>
        <CostOnPaper {...report} />
        <PdfCard title="Insights">
          {insights.map((insight) => (
            <Text key={insight.question.key} style={paper.row}>
              {written(sentenceOf(insight))}
            </Text>
          ))}
        </PdfCard>
        <TimelineOnPaper points={points} frame={frame} base={reading.base} />
      </PdfPage>
      <PdfPage foot={foot}>
        {volume.limited && (
          <PdfCard title="Statistics">
            <Text>{written(refusalFor())}</Text>
          </PdfCard>
        )}
        {statistics
          .filter(({ isOf }) => !volume.limited && isOf(volume.type))
          .map((statistic) => (
            <StatisticOnPaper
              key={statistic.key}
              title={statistic.title}
              chart={statisticChart(statistic, volume, reading)}
            />
          ))}
        {actions.length > 0 && (
          <PdfCard title="Actions checked by scans">
            {actions.map((action) => (
              <Text key={action.jobId} style={paper.row}>
                {written(`${jobTypeLabels[action.type]} ${action.jobId}, ${checkedText(action, reading.base)}`)}
              </Text>
            ))}
          </PdfCard>
        )}
      </PdfPage>
    </Document>
  )
}

/** A word instead of a sign that is only in the large fonts for Chinese and Japanese. */
const onPaper = (text: string) => text.replace('≥', 'at least')

function CostOnPaper({ volume, interval }: Pick<VolumeReportProps, 'volume' | 'interval'>) {
  const { storagePrice } = volume
  if (storagePrice === null)
    return (
      <PdfCard title="Storage cost">
        <Text>This storage has no price book, so its cost is unknown.</Text>
      </PdfCard>
    )
  const book = ['Price book', `${storagePrice.description}, ${storagePriceText(storagePrice)}`] as const
  return (
    <PdfCard title="Storage cost" note={perInterval[interval]}>
      <PdfFacts facts={[book, ...costsOf(volume, interval).map(({ name, text }) => [name, text] as const)]} />
    </PdfCard>
  )
}

function sentenceOf({ question, found, amount, reclaimable, share, saving }: Insight): string {
  if (found.count === 0) return question.none
  const whole = `${amount} ${question.phrase}, ${percentText(share)} of the total size${reclaimable ? `; ${reclaimable}` : ''}`
  const sentence = saving === undefined ? `${whole}.` : `${whole}: up to ${saving} could be saved.`
  return question.rule ? `${sentence} ${question.rule}` : sentence
}

/** A distribution. Its table omits ranges without files. */
function StatisticOnPaper({ title, chart }: { title: string; chart: StatisticChart | undefined }) {
  if (chart) return <DistributionOnPaper chart={chart} listed={chart.parts.filter(({ value }) => value > 0)} />
  return (
    <PdfCard title={title}>
      <Text>There is no data for this indexing date.</Text>
    </PdfCard>
  )
}

type TimelineOnPaperProps = { points: DetailedVolume[]; frame: TimeWindow; base: SizeBase }

/** Used capacity over time. */
function TimelineOnPaper({ points, frame: { from, to }, base }: TimelineOnPaperProps) {
  const { parts, limit, summary } = timelineChart(points, base)
  const reading = { measure: 'size', base } as const
  return (
    <PdfCard title="Used capacity" note={`${from} to ${to}`}>
      {parts.length === 0 ? (
        <Text>There is no data for the selected time frame.</Text>
      ) : (
        <>
          <Text>{written(summary)}</Text>
          <PdfDayLine
            parts={parts}
            from={from}
            to={to}
            base={stepBase(reading)}
            tickText={tickText(reading)}
            limit={limit}
          />
        </>
      )}
    </PdfCard>
  )
}
