# Every library we link, and the compiler options of both flavours.

# MPI: the C interface only. Debian's OpenMPI still ships the removed C++ bindings, which do not link.
find_package(MPI REQUIRED COMPONENTS C)
# Parallel HDF5, before VTK looks for its own (serial) one.
set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "unbarred needs parallel HDF5 (Debian: libhdf5-openmpi-dev); found ${HDF5_C_LIBRARIES}")
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc)
set(UNBARRED_VTK_MODULES VTK::CommonCore VTK::CommonDataModel VTK::IOCore VTK::IOLegacy VTK::IOXML)
find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel IOCore IOLegacy IOXML)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_path(PTSCOTCH_INCLUDE_DIR ptscotch.h PATH_SUFFIXES scotch REQUIRED)
find_library(PTSCOTCH_LIBRARY ptscotch REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(PTSCOTCHERR_LIBRARY ptscotcherr REQUIRED)
foreach(part VERSION RELEASE PATCHLEVEL)
  file(STRINGS ${PTSCOTCH_INCLUDE_DIR}/scotch.h line REGEX "#define SCOTCH_${part} ")
  string(REGEX MATCH "[0-9]+" number "${line}")
  list(APPEND SCOTCH_NUMBERS ${number})
endforeach()
list(JOIN SCOTCH_NUMBERS "." SCOTCH_VERSION)

if(UNBARRED_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR
      "UNBARRED_CUDA is ON but no CUDA compiler was found: put nvcc on PATH or set CMAKE_CUDA_COMPILER")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # machine code for both, and PTX of sm_90 for what comes later
  endif()
  enable_language(CUDA)
  # CMake before 3.26 does not know the flag of CUDA 13 and newer for the standard that the C++ files use.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  find_package(CUDAToolkit REQUIRED)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
endif()

# Thrust: the toolkit's CCCL where there is one, so that both flavours use the same version.
find_path(THRUST_INCLUDE_DIR thrust/version.h
  HINTS ${CUDAToolkit_ROOT}/include/cccl ENV CUDA_HOME PATHS /usr/local/cuda
  PATH_SUFFIXES include/cccl include REQUIRED)

add_library(unbarred_dependencies INTERFACE)
target_include_directories(unbarred_dependencies SYSTEM INTERFACE
  ${HDF5_C_INCLUDE_DIRS} ${PTSCOTCH_INCLUDE_DIR})
target_compile_definitions(unbarred_dependencies INTERFACE ${HDF5_C_DEFINITIONS} OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(unbarred_dependencies INTERFACE
  MPI::MPI_C PkgConfig::PETSC ${HDF5_C_LIBRARIES} ${UNBARRED_VTK_MODULES} Eigen3::Eigen yaml-cpp
  CLI11::CLI11 spdlog::spdlog fmt::fmt OpenMP::OpenMP_CXX
  ${PTSCOTCH_LIBRARY} ${SCOTCH_LIBRARY} ${PTSCOTCHERR_LIBRARY} ${CMAKE_DL_LIBS})

add_library(unbarred_options INTERFACE)
# No contraction into fused multiply-adds: lanes and single numbers then give the same bits (core/pack.hpp),
# whatever the compiler vectorizes. Costs 3 % of the element kernel.
target_compile_options(unbarred_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -fno-math-errno -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-Wall,-fno-math-errno>)
# GCC 12 warns of std::string's own code (GCC bug 105651).
target_compile_options(unbarred_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
if(UNBARRED_ARCH)
  target_compile_options(unbarred_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${UNBARRED_ARCH}>)
endif()
if(UNBARRED_CHECKED)
  target_compile_definitions(unbarred_options INTERFACE UNBARRED_CHECKED)
  target_compile_options(unbarred_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-UNDEBUG>)
endif()
if(UNBARRED_SANITIZE)
  target_compile_options(unbarred_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-omit-frame-pointer>)
  target_link_options(unbarred_options INTERFACE -fsanitize=address,undefined)
endif()
find_program(LLD ld.lld)
if(LLD)
  target_link_options(unbarred_options INTERFACE -fuse-ld=lld)
endif()

if(UNBARRED_CUDA)
  target_compile_definitions(unbarred_options INTERFACE UNBARRED_CUDA)
  target_include_directories(unbarred_dependencies SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS} ${NCCL_INCLUDE_DIR})
  # NCCL is opened at run time (cuda/nccl_library.cpp), and the driver is never linked: the program starts
  # on a machine without either and says so.
  target_link_libraries(unbarred_dependencies INTERFACE CUDA::cudart_static)
else()
  target_include_directories(unbarred_dependencies SYSTEM INTERFACE ${THRUST_INCLUDE_DIR})
  target_compile_definitions(unbarred_options INTERFACE
    THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP)
endif()
