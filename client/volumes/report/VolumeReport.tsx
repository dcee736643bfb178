import { Document, Text } from '@react-pdf/renderer'
import { volumeKind, volumeName } from '../../parts/storages/volumeWords.ts'
import { PdfCard, PdfFacts, PdfPage } from '../../ui/charts/pdf/PdfPage.tsx'
import { paper, written } from '../../ui/charts/pdf/paper.ts'
import { percentText } from '../../ui/text/count.ts'
import { perInterval, priceText } from '../../ui/text/money.ts'
import { costsOf } from '../costs.ts'
import { detailFacts } from '../detailFacts.ts'
import type { Insight } from '../insights.ts'
import { statisticChart } from '../statisticChart.ts'
import { statistics } from '../statistics.ts'
import type { VolumeReportProps } from './readReport.ts'
import { StatisticOnPaper } from './StatisticOnPaper.tsx'
import { TimelineOnPaper } from './TimelineOnPaper.tsx'

/** What is known of a storage, then how its files are divided. */
export function VolumeReport(report: VolumeReportProps) {
  const { volume, points, insights, frame, reading } = report
  const name = volumeName(volume)
  const foot = `${name} · snapshot ${volume.indexingDate}`
  const agent = ['Agent', volume.server?.name ?? 'Unknown'] as const
  return (
    <Document title={`Volume ${name}`} creator="DataIntell" producer="DataIntell" language="en">
      <PdfPage foot={foot}>
        <Text style={paper.title}>{written(name)}</Text>
        <Text style={paper.subtitle}>{written(`${volumeKind(volume)} · ${volume.path}`)}</Text>
        <PdfCard title="Storage Details">
          <PdfFacts
            facts={[
              agent,
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
        {statistics
          .filter(({ isOf }) => isOf(volume.type))
          .map((statistic) => (
            <StatisticOnPaper
              key={statistic.key}
              title={statistic.title}
              chart={statisticChart(statistic, volume, reading)}
              reading={reading}
            />
          ))}
      </PdfPage>
    </Document>
  )
}

/** The fonts of documents do not have this sign. */
const onPaper = (text: string) => text.replace('≥', 'at least')

function CostOnPaper({ volume, interval }: Pick<VolumeReportProps, 'volume' | 'interval'>) {
  const { storagePrice } = volume
  if (storagePrice === null)
    return (
      <PdfCard title="Storage Cost">
        <Text>This storage has no price book, so what it costs is not known.</Text>
      </PdfCard>
    )
  const { description, price, currencySymbol } = storagePrice
  const book = ['Price book', `${description}, ${priceText(price, currencySymbol)}`] as const
  return (
    <PdfCard title="Storage Cost" note={perInterval[interval]}>
      <PdfFacts facts={[book, ...costsOf(volume, interval).map(({ name, text }) => [name, text] as const)]} />
    </PdfCard>
  )
}

function sentenceOf({ question, found, amount, share, saving }: Insight): string {
  if (found.count === 0) return question.none
  const whole = `${amount} ${question.words}, ${percentText(share)} of its files by size`
  return saving === undefined ? `${whole}.` : `${whole}: up to ${saving} could be saved.`
}
