// Browser tests drive the machine's own Chromium; see deploy/local/chromium.ts.
module.exports = { skipDownload: true }
