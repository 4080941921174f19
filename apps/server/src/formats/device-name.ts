const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/**
 * How people know a device, such as `Chrome · Android`, by the header User-Agent; made of these words alone. Empty if it
 * has none of them: programs that are no browsers.
 */
export function deviceName(userAgent: string): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
    .join(' · ')
}
