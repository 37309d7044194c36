import type { DiagnoseOptions, DoctorReport } from "./doctor/diagnose.ts";

/** Finds out what protects this host from guests, by trying. Loaded when it is asked for. */
export async function diagnose(options: DiagnoseOptions): Promise<DoctorReport> {
  const doctor = await import("./doctor/diagnose.ts");
  return doctor.diagnose(options);
}
