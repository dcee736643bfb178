import type { Answer } from '#events/contract/endpoint.ts'
import type { EntrySummary } from '#events/entries.ts'
import { mediaOfFile } from '#events/media/found.ts'
import { mediaExtensions } from '#events/media/extensions.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { clockText } from '#client/ui/text/duration.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import classes from '#client/parts/entry-details/EntryDetails.module.css'

const withTracks = new Set(mediaExtensions)
const kinds = { video: 'Video', audio: 'Audio', text: 'Subtitles', other: 'Other' }

/** Tracks and chapters of a media file, or the reason why it could not be read. */
export function MediaTracks({ entry: { volumeId, fileId, extension, deleted } }: { entry: EntrySummary }) {
  const { at } = useActiveDate()
  const isAsked = !deleted && withTracks.has(extension.toLowerCase())
  const input = { params: { volumeId, fileId }, query: at }
  const { data, error, retry } = useRemote(mediaOfFile, isAsked ? input : undefined, 'snapshots')
  if (error) return <InlineFailure error={error} retry={retry} />
  return data ? <Found {...data} /> : null
}

function Found({ failure, tracks, chapters }: Answer<typeof mediaOfFile>) {
  return (
    <>
      {failure && <p className="muted small">The content could not be read: {failure}</p>}
      {tracks.length > 0 && (
        <section aria-label="Tracks">
          <h3 className="heading">Tracks</h3>
          {tracks.map(({ kind, facts }, track) => (
            <div key={track} className={classes.room}>
              <dl className={classes.grid}>
                {Object.entries({ Track: `${track + 1}, ${kinds[kind]}`, ...facts }).map(([label, value]) => (
                  <div key={label} className={classes.field}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </section>
      )}
      {chapters.length > 0 && (
        <section aria-label="Chapters">
          <h3 className="heading">Chapters</h3>
          <ol>
            {chapters.map(({ start, title }, chapter) => (
              <li key={chapter}>
                <span className="mono small">{clockText(start)}</span> {title}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
