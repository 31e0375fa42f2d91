// What the module asks of its host: an import of "limber" in WebAssembly; a program for this machine defines it.
#pragma once

#ifdef __wasm__
#define LIMBER_IMPORT(name) __attribute__((import_module("limber"), import_name(name)))
#else
#define LIMBER_IMPORT(name)
#endif

extern "C" {
// A goal of the host. x: three numbers per point. Writes `rows` residuals in metres, and their derivative, row by row,
// three numbers per point; both are 0 before.
void limber_host_goal(int goal, int points, const double* x, int rows, double* r, double* J) LIMBER_IMPORT("goal");
}
